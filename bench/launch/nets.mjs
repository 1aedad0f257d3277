/** The two nets that are launched, and the forms in which each launcher wants them. */
import { createHash } from 'node:crypto';

export const LAYERS = 100;
/** Below this width the two predecessors of a job would be one. */
export const WIDTH_LEAST = 2;

/** Jobs in LAYERS layers; in the layered net each but the first has two predecessors in the layer above. */
export function makeNet(kind, jobs) {
  const width = jobs / LAYERS;
  const net = [];
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let place = 0; place < width; place++) {
      const above = [nameOf(layer - 1, place), nameOf(layer - 1, (place + 1) % width)];
      net.push({
        name: nameOf(layer, place),
        predecessors: kind === 'layered' && layer > 0 ? above : [],
      });
    }
  }
  return net;
}

/** At most 16 bytes: a launcher reads its input byte by byte, so long names would be measured as well. */
function nameOf(layer, place) {
  return `J${String(layer).padStart(3, '0')}_${String(place).padStart(3, '0')}`;
}

export function csvOf(net) {
  const rows = net.map(({ name, predecessors: [first = '', second = ''] }) => {
    return `${name},9,,,${first},${second}\n`;
  });
  return `job,status,stime,etime,prev1,prev2\n${rows.join('')}`;
}

/** Phony targets, so that make looks for no files; a recipe without shell syntax, so that it starts no shell. */
export function makefileOf(net) {
  const names = net.map(({ name }) => name).join(' ');
  const edges = net.map(({ name, predecessors }) => `${name}: ${predecessors.join(' ')}\n`);
  return `all: ${names}\n.PHONY: all ${names}\n${edges.join('')}${names}:\n\t@jobs/$@\n`;
}

/** "PROGRAM LOG" lines for launch.c, with logs in the folder layout of jobnet. */
export function listOf(net) {
  return net.map(({ name }) => `jobs/${name} attempts/${shardOf(name)}/${name}.1.log\n`).join('');
}

function shardOf(name) {
  return createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 2);
}

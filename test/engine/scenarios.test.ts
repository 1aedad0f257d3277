/**
 * Conversations with the engine, kept as text beside this file: what is said, a line of dashes, what became visible.
 * UPDATE_SCENARIOS=1 writes down what happens now; the difference is then for a person to read.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createRig } from './rig.js';

const FOLDER = fileURLToPath(new URL('scenarios', import.meta.url));
const RULE = '----';

test.each(readdirSync(FOLDER).sort())('%s', async (name) => {
  const file = path.join(FOLDER, name);
  const script = readFileSync(file, 'utf8');
  const played = await play(script);
  if (process.env['UPDATE_SCENARIOS']) writeFileSync(file, played);
  expect(played).toBe(process.env['UPDATE_SCENARIOS'] ? readFileSync(file, 'utf8') : script);
});

/** The same text with what happened as answers. */
async function play(script: string): Promise<string> {
  const [head = '', ...blocks] = script.trimEnd().split('\n\n');
  const [title = '', netLine = ''] = head.split('\n');
  const rig = createRig(netLine.replace(/^net\s+/, ''));
  const out = [head];
  for (const block of blocks) {
    const lines = block.split('\n');
    const end = lines.indexOf(RULE);
    const said = end < 0 ? lines : lines.slice(0, end);
    const answers: string[] = [];
    for (const line of said) answers.push(...(await rig.say(line)));
    out.push([...said, RULE, ...answers].join('\n'));
  }
  expect(title.startsWith('# ')).toBe(true);
  return `${out.join('\n\n')}\n`;
}

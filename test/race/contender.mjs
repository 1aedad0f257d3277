/**
 * One process of a crowd. For each round that it is sent it runs some contenders for one claim, one operation of one of
 * them at a time in an order of chance, and may stop itself in the middle. What they hold and for how long is said in
 * the round's log: `+ NUMBER AT UNTIL` taken, `= NUMBER AT UNTIL` renewed, `- NUMBER AT` given back, `x NUMBER AT`
 * lost, `! NUMBER AT` found changed by somebody else. Times are those of the system's steady clock.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bid, prepare, release, tidy } from '../../dist/claim/bid.js';
import { isOver, ownRecord } from '../../dist/claim/claim.js';
import { now, passedSince } from '../../dist/claim/clock.js';
import { DISK } from '../../dist/claim/disk.js';
import { beat, confirm, trustOf, tryLease } from '../../dist/claim/lease-steps.js';
import { numberName } from '../../dist/claim/record.js';
import { ask } from '../../dist/claim/steps.js';
import { seeded } from './chance.mjs';

process.on('message', async (round) => process.send({ ran: await compete(round) }));

async function compete({ kind, folder, log, count, patienceMs, seed, freeze, ttlMs }) {
  const random = seeded(seed);
  const one = kind === 'lock' ? lockContender : leaseContender;
  const running = Array.from({ length: count }, () => ({
    steps: one({
      folder,
      ttlMs,
      pause: () => ['pause', 1 + random() * patienceMs],
      note: (line) => appendFileSync(log, `${line}\n`),
    }),
    answer: undefined,
    notBefore: 0,
  }));
  let passed = 0;
  while (running.length > 0) {
    const ready = running.filter(({ notBefore }) => notBefore <= performance.now());
    if (ready.length === 0) {
      await sleep(5);
      continue;
    }
    const contender = ready[Math.floor(random() * ready.length)];
    const next = contender.steps.next(contender.answer);
    contender.answer = undefined;
    if (next.done) {
      running.splice(running.indexOf(contender), 1);
      continue;
    }
    const [name, ...args] = next.value;
    if (name === freeze?.at && passed++ === freeze.nth) process.kill(process.pid, 'SIGSTOP');
    if (name === 'pause') contender.notBefore = performance.now() + args[0];
    else if (name !== 'hold') contender.answer = DISK[name](...args);
  }
  return count;
}

function* lockContender({ folder, pause, note }) {
  const me = yield* prepare(folder, ownRecord(0));
  for (;;) {
    const made = yield* bid(me, isOver);
    if (made === 'again') continue;
    if (made.kind === 'found') {
      yield pause();
      continue;
    }
    note(`+ ${made.number} ${now().steady} Infinity`);
    yield ['hold'];
    yield* ask('list', folder);
    yield* isUntouched(me, made.number, note);
    note(`- ${made.number} ${now().steady}`);
    yield* release(folder, made.number);
    yield* tidy(folder, made.number);
    yield* ask('remove', me.prepared);
    return;
  }
}

function* leaseContender({ folder, ttlMs, pause, note }) {
  const me = yield* prepare(folder, { ...ownRecord(0), kind: 'both', ttlMs });
  const { number, since } = yield* woo(me, ttlMs, pause);
  yield* keep(me, { number, since, ttlMs, note });
  yield* tidy(folder, number);
  yield* ask('remove', me.prepared);
}

function* woo(me, ttlMs, pause) {
  let watch = null;
  for (;;) {
    let round = yield* tryLease(me, ttlMs, watch);
    if (round.kind === 'bidden') {
      yield ['pause', round.waitMs];
      round = yield* confirm(me, round.number, ttlMs);
    }
    if (round.kind === 'held') return round;
    if (round.kind !== 'watching') continue;
    watch = round.watch;
    yield pause();
  }
}

/** Holds it for two beats, as long as it may be trusted. */
function* keep({ folder, id }, { number, since, ttlMs, note }) {
  let trusted = since;
  const isTrusted = (at) => passedSince(trusted, at) < trustOf(ttlMs);
  for (const sign of ['+', '=', '=']) {
    const at = now();
    if (!isTrusted(at)) return note(`x ${number} ${at.steady}`);
    note(`${sign} ${number} ${at.steady} ${trusted.steady + trustOf(ttlMs)}`);
    yield ['hold'];
    const next = yield* beat(folder, number, ttlMs);
    if (!next) return note(`x ${number} ${now().steady}`);
    trusted = next;
  }
  yield* isUntouched({ folder, id }, number, note);
  const end = now();
  note(`${isTrusted(end) ? '-' : 'x'} ${number} ${end.steady}`);
  yield* release(folder, number);
}

function* isUntouched({ folder, id }, number, note) {
  const text = yield* ask('read', path.join(folder, numberName(number)));
  if (text === null || JSON.parse(text).id !== id) note(`! ${number} ${now().steady}`);
}

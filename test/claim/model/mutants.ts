/**
 * Planted bugs: each drives a protocol with one of its rules left out, by not doing an operation, by doing it at
 * another time, or by giving it a wrong answer. A model that does not notice its bug proves nothing.
 */
import type { Steps } from '../../../src/claim/steps.js';
import type { Asked } from './memory-files.js';
import { idName } from './symmetry.js';

export type Mutant = (steps: Steps<unknown>, actor: number) => Steps<unknown>;

/** What the protocol asks for meets `around`, which may do something else, and answers it. */
function driven(around: () => (asked: Asked) => Generator<Asked, unknown, unknown>): Mutant {
  return function* (steps) {
    const answer = around();
    let next = steps.next();
    while (!next.done) next = steps.next(yield* answer(next.value as Asked) as Steps<unknown>);
    return next.value;
  };
}

const isNumber = (file: unknown): boolean => /\/\d{8}$/.test(String(file));
const isBeat = (file: unknown): boolean => String(file).endsWith('.beat');
const isContent = ([name, file]: Asked): boolean => name === 'remove' && /\/[cf]\./.test(String(file));
const nameOf = (file: unknown): string => String(file).split('/').at(-1)!;

/** The number is there, so it is believed to be the highest. */
export const noDecidingListing = driven(() => {
  let made: string | null = null;
  return function* (asked) {
    if (asked[0] === 'list' && made) return [made];
    const answer = yield asked;
    if (asked[0] === 'link' && answer) made = nameOf(asked[2]);
    return answer;
  };
});

export const childReadBeforeDeath = driven(() => {
  let child: unknown;
  return function* (asked) {
    if (asked[0] !== 'read') return yield asked;
    if (String(asked[1]).endsWith('.child')) return child;
    child = yield ['read', `${asked[1]}.child`];
    return yield asked;
  };
});

/** The takeover believes the beat that it saw before its bid. */
export const noSecondLook = driven(() => {
  let beat: unknown;
  let isBidden = false;
  return function* (asked) {
    const isLook = asked[0] === 'read' && isBeat(asked[1]);
    if (isLook && isBidden) return beat;
    const answer = yield asked;
    if (isLook) beat = answer;
    if (asked[0] === 'link') isBidden = true;
    return answer;
  };
});

export const listBeforeSecondLook = driven(() => {
  let names: unknown = null;
  let isBidden = false;
  return function* (asked) {
    if (isBidden && asked[0] === 'read' && isBeat(asked[1])) names = yield ['list', '/d'];
    if (isBidden && asked[0] === 'list' && names) return names;
    const answer = yield asked;
    if (asked[0] === 'link') isBidden = true;
    return answer;
  };
});

/** Whoever has beaten believes that it has the name still. */
export const noListingAfterBeat = driven(() => {
  let beaten: string | null = null;
  return function* (asked) {
    if (asked[0] === 'list' && beaten) return [beaten];
    const answer = yield asked;
    if (asked[0] === 'rename' && isBeat(asked[2])) beaten = nameOf(asked[2]).slice(0, 8);
    return answer;
  };
});

/** Every claim is believed to have held. */
export const heldRuleMissing = driven(
  () =>
    function* (asked) {
      const answer = yield asked;
      if (asked[0] !== 'list') return answer;
      const names = answer as string[];
      return [...names, ...names.filter((name) => /^\d{8}$/.test(name)).map((name) => `${name}.held`)];
    },
);

/** Only the time to live of the highest claim counts, whoever may have trust below it. */
export const lowerTimesIgnored = driven(() => {
  let found: string | null = null;
  return function* (asked) {
    if (asked[0] !== 'read' || !isNumber(asked[1])) return yield asked;
    if (found && nameOf(asked[1]) < found) return null;
    found = nameOf(asked[1]);
    return yield asked;
  };
});

/** The accepted writer leaves the prepared files of all others where they are. */
export const nothingRevoked = driven(() => {
  let own = '';
  let isShown = false;
  return function* (asked) {
    if (isContent(asked) && !isShown && !nameOf(asked[1]).endsWith(own)) return true;
    const answer = yield asked;
    if (asked[0] === 'fresh') own = String(answer);
    if (asked[0] === 'rename') isShown = true;
    return answer;
  };
});

/** Every try uses the same content file. */
export const sameContentFile: Mutant = (steps, actor) =>
  driven(
    () =>
      function* (asked) {
        return asked[0] === 'fresh' ? idName(actor, 1) : yield asked;
      },
  )(steps, actor);

/** The accepted writer takes a lower entry away before the files that only this entry leads to. */
export const entryBeforeContent = driven(() => {
  let isEntered = false;
  let entry: Asked | null = null;
  return function* (asked) {
    if (entry && isContent(asked)) {
      yield entry;
      entry = null;
    }
    if (isEntered && asked[0] === 'read' && isNumber(asked[1])) entry = ['remove', asked[1]];
    const answer = yield asked;
    if (asked[0] === 'link' && answer) isEntered = true;
    return answer;
  };
});

/** Tidying takes what a dead writer had prepared away before the files that it leads to. */
export const preparedBeforeContent = driven(() => {
  let isTidying = false;
  const held: Asked[] = [];
  return function* (asked) {
    if (asked[0] === 'rename' && nameOf(asked[1]).startsWith('c.')) isTidying = true;
    if (isTidying && isContent(asked)) {
      held.push(asked);
      return true;
    }
    const answer = yield asked;
    if (asked[0] === 'remove') while (held.length > 0) yield held.shift()!;
    return answer;
  };
});

/** Whoever finds its fence taken away shows its content all the same. */
export const fenceNotMissed = driven(
  () =>
    function* (asked) {
      const answer = yield asked;
      return asked[0] === 'rename' && nameOf(asked[1]).startsWith('f.') ? true : answer;
    },
);

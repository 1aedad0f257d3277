/** Rounds: A B C D, A B C D … so that whatever else the machine does meets all alike. */
import { createQuietMeasure } from './quiet.mjs';

/**
 * @param subjects what is compared, each with a `key` and a `title`
 * @param measure one measurement of one subject, named by its round and try: `{ value, foreignCores }`
 * @returns the values by key, in the order of the rounds, and how many of them other work disturbed
 */
export async function inRounds({ subjects, rounds, signal, unit }, measure) {
  const values = Object.fromEntries(subjects.map(({ key }) => [key, []]));
  const measureQuietly = createQuietMeasure(signal);
  let disturbed = 0;
  for (let round = 1; round <= rounds; round++) {
    for (const subject of subjects) {
      const once = (tries) => measure(subject, `${round}-${tries}`);
      const { value, isDisturbed } = await measureQuietly(once);
      values[subject.key].push(value);
      if (isDisturbed) disturbed++;
      const remark = isDisturbed ? ' (disturbed by other work)' : '';
      console.error(`round ${round} of ${rounds}: ${subject.title}: ${Math.round(value)} ${unit}${remark}`);
    }
  }
  return { values, disturbed };
}

/** For the reader of a table: how far to trust it. */
export function disturbedLine({ values, disturbed }) {
  const all = Object.values(values).flat().length;
  return `Measurements disturbed by other work, although tried again: ${disturbed} of ${all}`;
}

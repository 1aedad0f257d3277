/** Medians, and ratios that are taken inside a round. */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median of the ratios of each round; null when one side was not measured. A machine that slows down for a
 * while slows both sides of a round, so this scatters less than the ratio of two medians.
 */
export function ratio(ours, theirs) {
  if (!ours?.length || !theirs?.length) return null;
  return median(ours.map((value, round) => value / theirs[round]));
}

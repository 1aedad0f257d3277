/** The file of the csv bench: one chain, the last job in the first row, so that every name is used before it is known. */

/**
 * @param loop the row whose predecessor is not the next row, and the row that it has instead; rows count from 0
 */
export function chainCsv(rows, loop = null) {
  const lines = ['job,status,stime,etime,command,prev1\n'];
  for (let row = 0; row < rows; row++) {
    lines.push(`${chainName(row)},9,,,true,${predecessorOf(row, rows, loop)}\n`);
  }
  return lines.join('');
}

export function chainName(row) {
  return `J${String(row).padStart(6, '0')}`;
}

function predecessorOf(row, rows, loop) {
  if (row === loop?.row) return chainName(loop.predecessor);
  return row + 1 < rows ? chainName(row + 1) : 'Start';
}

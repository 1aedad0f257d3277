/** What `check` notices in names and scripts: hints for people, never a reason to refuse. */

export type NoteCode =
  | 'blank-script'
  | 'exit-above-255'
  | 'no-set-e'
  | 'pipe-without-pipefail'
  | 'link-outside'
  | 'name-like-number'
  | 'name-like-date';

/** Names that a spreadsheet changes when the file is opened and saved. */
export function notesOnName(name: string): NoteCode[] {
  if (
    /^0\d+$/.test(name) ||
    /^\d{12,}$/.test(name) ||
    /^\d+(\.\d+)?e[+-]?\d+$/i.test(name) ||
    /^\d+\.\d*0$/.test(name)
  ) {
    return ['name-like-number'];
  }
  const isDate =
    /^\d{1,4}[-/]\d{1,2}([-/]\d{1,4})?$/.test(name) ||
    /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-. ]?\d{1,4}$/i.test(name) ||
    /^\d{1,2}[-. ]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i.test(name) ||
    /^\d{1,2}:\d{2}(:\d{2})?$/.test(name);
  return isDate ? ['name-like-date'] : [];
}

const SHELLS = /\/(sh|bash|dash|ksh|zsh|busybox)$/;

/** Notes on a script's text; only shells are read closely. */
export function notesOnScript(text: string, interpreter: string): NoteCode[] {
  const lines = text.split('\n');
  const code = lines.filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  if (code.length === 0) return ['blank-script'];
  const isShell = SHELLS.test(interpreter) || /^#!.*\benv\s+(-S\s+)?(ba|da|k|z)?sh\b/.test(lines[0] ?? '');
  if (!isShell) return [];
  const notes: NoteCode[] = [];
  const exits = code.flatMap((line) =>
    [...line.matchAll(/\bexit\s+(-?\d+)/g)].map((match) => Number(match[1])),
  );
  if (exits.some((value) => value > 255 || value < 0)) notes.push('exit-above-255');
  const hasSetE =
    code.some((line) => /\bset\s+(-[a-z]*e|-o\s+errexit)/.test(line)) ||
    /^#!\S+(\s+\S+)*\s-[a-z]*e/.test(lines[0] ?? '');
  if (!hasSetE) notes.push('no-set-e');
  // dash and the sh of POSIX 2017 have no pipefail: there the hint would be no help.
  const knowsPipefail = /(bash|ksh|zsh)/.test(lines[0] ?? '');
  const hasPipe = code.some((line) => /[^|]\|[^|]/.test(line.replace(/'[^']*'|"[^"]*"/g, '')));
  if (knowsPipefail && hasPipe && !text.includes('pipefail')) notes.push('pipe-without-pipefail');
  return notes;
}

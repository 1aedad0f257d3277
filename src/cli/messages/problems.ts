/** What is wrong with a net's file, in both languages. Columns are named as a spreadsheet does. */
import type { CsvFault } from '../../core/csv.js';
import type { NameFault } from '../../core/names.js';
import type { Problem, Warning } from '../../core/problems.js';

/** A, B … Z, AA … for 1, 2 … */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

const en = {
  problem(problem: Problem): string {
    switch (problem.code) {
      case 'csv':
        return csvFault(problem.fault);
      case 'encoding':
        switch (problem.found) {
          case 'utf-16':
            return 'the file is UTF-16 ("Unicode text"); save it as "CSV UTF-8 (comma delimited)"';
          case 'zeros':
            return 'the file holds zero bytes (NUL) instead of text, as after a power cut or on a full disk';
          case 'unknown':
            return 'the file is neither UTF-8 nor CP932 (Shift_JIS); save it as "CSV UTF-8"';
        }
        return '';
      case 'separator':
        return problem.found === 'sep='
          ? 'the first line says "sep=…"; take that line away, the cells are parted by commas'
          : `the cells are parted by ${problem.found === 'tab' ? 'tabs' : '";"'}; save it as "CSV (comma delimited)"`;
      case 'no-jobs':
        return 'no jobs: the file is empty, or has no row with a job';
      case 'column-missing':
        return `no column "${problem.name}" in the header; found: ${problem.found.join(', ')}`;
      case 'column-misspelled':
        return `header, column ${columnLetters(problem.column)}: "${problem.found}" must be spelled "${problem.right}"`;
      case 'column-repeated':
        return `header, column ${columnLetters(problem.column)}: "${problem.name}" stands in column ${columnLetters(problem.first)} already`;
      case 'column-unsupported':
        return `${place(problem)}: column "${problem.name}" is not supported in this version; leave it empty`;
      case 'cell-beyond-header':
        return `${place(problem)}: "${problem.value}" stands outside the columns of the header`;
      case 'status':
        return `${place(problem)}: status "${problem.value}" must be 0, 1, 2, 9 or blank`;
      case 'on-lost':
        return `${place(problem)}: on_lost "${problem.value}" must be rerun or blank`;
      case 'timeout':
        return `${place(problem)}: timeout "${problem.value}" must be a time such as 30s, 5m, 2h or 1d`;
      case 'name-missing':
        return `${place(problem)}: the row has no job name`;
      case 'name':
        return `${place(problem)}: job name "${problem.name}" ${nameFault(problem.fault)}`;
      case 'name-repeated':
        return problem.name === problem.firstName
          ? `row ${problem.row}: job "${problem.name}" stands in row ${problem.first} already`
          : `row ${problem.row}: job "${problem.name}" differs from "${problem.firstName}" in row ${problem.first} only in case; they would share a log`;
      case 'unknown-predecessor':
        return `${place(problem)}: job "${problem.job}" waits for "${problem.predecessor}", which does not exist${problem.nearest ? `; did you mean "${problem.nearest}"?` : ''}`;
      case 'cycle':
        return `a cycle: ${problem.path.map(({ job, row }) => `${job} (row ${row})`).join(' -> ')}`;
    }
  },

  warning(warning: Warning): string {
    switch (warning.code) {
      case 'trimmed':
        return `${place(warning)}: spaces that look like none were taken off "${warning.value}"`;
      case 'start-ignored':
        return `${place(warning)}: "Start" is ignored, as job "${warning.job}" has a predecessor`;
      case 'predecessor-repeated':
        return `${place(warning)}: job "${warning.job}" names predecessor "${warning.predecessor}" twice`;
    }
  },

  refused: (file: string, count: number) =>
    `${file} has ${count === 1 ? 'a problem' : `${count} problems`}; nothing is started:`,
  more: (count: number) => `… and ${count} more (all of them: jobnet check --json)`,
};

function place({ row, column }: { row: number; column: number }): string {
  return `row ${row}, column ${columnLetters(column)}`;
}

function csvFault(fault: CsvFault): string {
  switch (fault.kind) {
    case 'quote-open':
      return `line ${fault.line}: the quote opened here is never closed; everything behind it would be one cell`;
    case 'quote-misplaced':
      return `line ${fault.line}: a quote in the wrong place; a cell with quotes is written "say ""hi"""`;
    case 'unreadable':
      return `line ${fault.line}: not readable as CSV: ${fault.detail}`;
  }
}

function nameFault(fault: NameFault): string {
  switch (fault.kind) {
    case 'invisible':
      return `holds an invisible character (${fault.codePoint})`;
    case 'slash':
      return 'holds a slash';
    case 'first-character':
      return `begins with "${fault.character}"; a name may not begin with - . = + @`;
    case 'too-long':
      return `has ${fault.bytes} bytes; 200 are the limit`;
    case 'reserved':
      return 'is reserved: "Start" in a prev column means "no predecessor"';
  }
}

const ja = {
  problem(problem: Problem): string {
    switch (problem.code) {
      case 'csv':
        return csvFaultJa(problem.fault);
      case 'encoding':
        switch (problem.found) {
          case 'utf-16':
            return 'ファイルが UTF-16（Unicode テキスト）です。「CSV UTF-8（コンマ区切り）」で保存してください';
          case 'zeros':
            return 'ファイルの先頭または末尾が NUL バイト（0x00）になっています。電源断やディスク不足で壊れたおそれがあります';
          case 'unknown':
            return 'ファイルが UTF-8 でも CP932（シフト JIS）でもありません。「CSV UTF-8」で保存してください';
        }
        return '';
      case 'separator':
        return problem.found === 'sep='
          ? '1 行目に「sep=…」があります。この行を削除してください（セルの区切りはコンマです）'
          : `セルが${problem.found === 'tab' ? 'タブ' : '「;」'}で区切られています。「CSV（コンマ区切り）」で保存してください`;
      case 'no-jobs':
        return 'ジョブがありません（ファイルが空か、ジョブの行がありません）';
      case 'column-missing':
        return `見出しに列「${problem.name}」がありません。見つかった列: ${problem.found.join('、')}`;
      case 'column-misspelled':
        return `見出し ${columnLetters(problem.column)} 列: 「${problem.found}」は「${problem.right}」と書いてください`;
      case 'column-repeated':
        return `見出し ${columnLetters(problem.column)} 列: 「${problem.name}」は ${columnLetters(problem.first)} 列にもあります`;
      case 'column-unsupported':
        return `${placeJa(problem)}: 列「${problem.name}」はこのバージョンでは使えません。空にしてください`;
      case 'cell-beyond-header':
        return `${placeJa(problem)}: 「${problem.value}」が見出しの列の外にあります`;
      case 'status':
        return `${placeJa(problem)}: status「${problem.value}」は 0、1、2、9 または空欄でなければなりません`;
      case 'on-lost':
        return `${placeJa(problem)}: on_lost「${problem.value}」は rerun または空欄でなければなりません`;
      case 'timeout':
        return `${placeJa(problem)}: timeout「${problem.value}」は 30s、5m、2h、1d のような時間でなければなりません`;
      case 'name-missing':
        return `${placeJa(problem)}: ジョブ名がありません`;
      case 'name':
        return `${placeJa(problem)}: ジョブ名「${problem.name}」${nameFaultJa(problem.fault)}`;
      case 'name-repeated':
        return problem.name === problem.firstName
          ? `${problem.row} 行目: ジョブ「${problem.name}」は ${problem.first} 行目にもあります`
          : `${problem.row} 行目: ジョブ「${problem.name}」は ${problem.first} 行目の「${problem.firstName}」と大文字・小文字しか違いません（ログが重なります）`;
      case 'unknown-predecessor':
        return `${placeJa(problem)}: ジョブ「${problem.job}」の先行ジョブ「${problem.predecessor}」がありません${problem.nearest ? `。「${problem.nearest}」の間違いではありませんか` : ''}`;
      case 'cycle':
        return `循環: ${problem.path.map(({ job, row }) => `${job}（${row} 行目）`).join(' → ')}`;
    }
  },

  warning(warning: Warning): string {
    switch (warning.code) {
      case 'trimmed':
        return `${placeJa(warning)}: 「${warning.value}」の前後の見えにくい空白を取り除きました`;
      case 'start-ignored':
        return `${placeJa(warning)}: ジョブ「${warning.job}」には先行ジョブがあるため「Start」は無視します`;
      case 'predecessor-repeated':
        return `${placeJa(warning)}: ジョブ「${warning.job}」の先行ジョブ「${warning.predecessor}」が 2 回書かれています`;
    }
  },

  refused: (file: string, count: number) => `${file} に問題が ${count} 件あります。何も起動しません:`,
  more: (count: number) => `… ほか ${count} 件（すべて見るには: jobnet check --json）`,
} satisfies typeof en;

function placeJa({ row, column }: { row: number; column: number }): string {
  return `${row} 行目 ${columnLetters(column)} 列`;
}

function csvFaultJa(fault: CsvFault): string {
  switch (fault.kind) {
    case 'quote-open':
      return `${fault.line} 行目: ここで始まる引用符が閉じられていません（以降がすべて 1 つのセルになってしまいます）`;
    case 'quote-misplaced':
      return `${fault.line} 行目: 引用符の位置が正しくありません。引用符を含むセルは "say ""hi""" のように書きます`;
    case 'unreadable':
      return `${fault.line} 行目: CSV として読めません: ${fault.detail}`;
  }
}

function nameFaultJa(fault: NameFault): string {
  switch (fault.kind) {
    case 'invisible':
      return `に見えない文字（${fault.codePoint}）が含まれています`;
    case 'slash':
      return 'にスラッシュが含まれています';
    case 'first-character':
      return `が「${fault.character}」で始まっています。- . = + @ で始まる名前は使えません`;
    case 'too-long':
      return `が長すぎます（${fault.bytes} バイト、上限は 200 バイト）`;
    case 'reserved':
      return 'は予約語です（prev 列の「Start」は先行ジョブなしを表します）';
  }
}

export const problems = { en, ja };

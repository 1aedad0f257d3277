/** What commands say besides running a net, and their help, in both languages. */
import type { RunState } from '../../core/words.js';
import type { NoteCode } from '../check/notes.js';
import { words } from './words.js';

export interface LogHead {
  readonly job: string;
  readonly attempt: number;
  readonly run: string;
  readonly when: string;
  readonly folder: string;
  readonly user: string;
  readonly path: string;
  readonly locale: string;
  readonly interpreter: string | null;
  readonly script: string;
}

type ControllerLife = 'alive' | 'frozen' | 'dead' | 'unknown';

const en = {
  errorWord: 'error',
  warningWord: 'warning',
  noteWord: 'note',
  noFile: (file: string) => `${file} does not exist; -f FILE names the net`,
  unreadableFile: (file: string, code: string) => `${file} cannot be read (${code})`,
  noSuchJob: (job: string, nearest: string | null) =>
    `there is no job "${job}"${nearest ? `; did you mean "${nearest}"?` : ''}`,
  windows:
    'jobnet runs on Linux and macOS; on Windows use it inside WSL 2 (the CSV may be edited from Windows)',
  internalError: (log: string) =>
    `a fault of jobnet itself; jobs that run go on. Please report this:\n${log}`,
  backgroundFailed: (log: string) => `the controller ended before it had begun; see ${log}`,

  planHead: (file: string, jobs: number, waves: number) =>
    `${file}: ${jobs} ${jobs === 1 ? 'job' : 'jobs'} in ${waves} ${waves === 1 ? 'wave' : 'waves'}`,
  moreWaves: (count: number) => `… and ${count} more waves (plan --json has all)`,
  criticalPath: (jobs: number) => `Longest chain, ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`,

  statusRun: (file: string, run: string, state: RunState, since: string, time: string) =>
    `${file}: run ${run} ${words.en.runState[state]}, began ${since}, ${time}`,
  statusNoRun: (file: string) => `${file}: no run yet; this is what the CSV says`,
  statusController: (life: ControllerLife, pid: number, host: string, since: string) =>
    `controller: ${life === 'frozen' ? 'frozen (stopped by a signal)' : life}, pid ${pid} on ${host}, since ${since}`,
  statusCounts: (jobs: number, counts: string) => `jobs: ${jobs} (${counts})`,
  statusColumns: ['JOB', 'STATUS', 'START', 'TIME', ''],
  statusMore: (count: number) => `${count} more jobs; --all shows every job`,
  statusFile: 'CSV: ',
  outsideSince: (since: string) => `unproven since ${since}; needs a person`,
  rowMissing: 'row missing',
  blockedBy: (jobs: string) => `waits behind ${jobs}`,
  after: (jobs: string) => `after ${jobs}`,

  checked: (file: string, jobs: number, depth: number, refused: number) =>
    refused === 0
      ? `${file}: ${jobs} jobs, ${depth} deep, ready to run`
      : `${file}: ${jobs} jobs, ${depth} deep; ${refused} of them cannot be started`,
  checkNote(code: NoteCode): string {
    switch (code) {
      case 'blank-script':
        return 'nothing but blanks and comments; it would count as a normal end';
      case 'exit-above-255':
        return 'an exit value outside 0 to 255; only its low 8 bits arrive, so 256 is a normal end';
      case 'no-set-e':
        return 'no "set -e"; the script goes on after a command that failed';
      case 'pipe-without-pipefail':
        return 'a pipeline without "pipefail"; only its last command decides';
      case 'link-outside':
        return 'a symbolic link that leads out of the folder of the net';
      case 'name-like-number':
        return 'a name that a spreadsheet changes like a number (leading zeros, exponents)';
      case 'name-like-date':
        return 'a name that a spreadsheet changes like a date or time';
    }
  },
  resetDone: (file: string, jobs: number) => `${file}: ${jobs} rows set to 9`,

  noLog: (job: string) => `job "${job}" has no log in the last run: it was not started`,
  logHead: (head: LogHead) => [
    `job ${head.job} #${head.attempt}, run ${head.run}, launched ${head.when}`,
    `folder ${head.folder}, user ${head.user}, locale ${head.locale}`,
    `PATH ${head.path}`,
    `interpreter ${head.interpreter ?? 'none (a program)'}, script ${head.script}`,
  ],

  nulsLeftOut: (count: number) => `[${count} NUL bytes at the beginning are left out]`,
  logShorter: 'the log became shorter: it was cut or emptied; this is what came after',

  menu: [
    '[1] Run the whole net from its beginning',
    '[2] Run again from the jobs that abended (1) or were killed (2)',
    '[3] Show where it stands',
    '[9] Quit',
  ],
  menuQuestion: 'Enter a number: ',
  menuAgain: 'Enter one of these numbers: ',

  help: {
    usage: 'Usage:',
    arguments: 'Arguments:',
    options: 'Options:',
    globalOptions: 'Options of every command:',
    commands: 'Commands:',
    program: 'Runs a net of shell jobs from one CSV file. Without a command, a terminal gets a menu.',
    file: 'the net (default: jobnet.csv)',
    state: 'folder for journal, logs and locks (default: .jobnet beside the CSV; JOBNET_STATE)',
    lang: 'language of messages: en or ja (default: LC_ALL, LC_MESSAGES, LANG)',
    version: 'print the version',
    helpOption: 'print help',
    helpCommand: 'print help for a command',
    start: 'run the whole net from its beginning',
    resume: 'run again what abended or did not run; what ended normally is kept',
    status: 'show where every job stands',
    check: 'check the CSV and the scripts without running anything',
    plan: 'show what can run side by side, and the longest chain',
    graph: 'draw the net',
    logs: 'print what a job printed',
    reset: 'set all rows back to 9',
    accept: 'take what waits for a person: a CSV that was held, edits that were put back',
    acceptOption: 'take a CSV that looks damaged: cut off, rows gone, names changed by a spreadsheet',
    show: 'only show what waits',
    report: 'inside a job: say that its work failed (1), whatever its exit code',
    reportStatus: '0 or 1; the last one counts',
    reportJob: 'the job, when called from outside of it',
    watch: 'how the CSV is watched: auto, or poll (every 2 s)',
    parallel: 'jobs at a time (default: cores × 2)',
    failFast: 'after an abend, end what runs',
    kill: 'end jobs that run, with everything they started',
    killJobs: 'names of jobs',
    signal: 'the first signal (default: TERM); KILL follows',
    grace: 'time from the first signal to KILL (default: 10s)',
    stop: 'let the controller start nothing new; it ends when what runs has ended',
    stopKill: 'also end what runs',
    keepGoing: 'after an abend, go on with what does not depend on it',
    logMax: "cap of a job's log: 500k, 10M, 1G, bytes or none; what goes beyond it is cut (default: 256M)",
    dryRun: 'say what would be done, and do nothing',
    background: 'give the prompt back; the run goes on',
    rerunLost: 'also run again the jobs whose end nobody knows',
    json: 'one JSON object for programs',
    all: 'every job, also of a large net',
    exitStatus: "exit with the run's code: 0 all settled, 1 abended or not over",
    format: 'text, mermaid or dot',
    around: 'only this job, what it waits for and what waits for it',
    job: 'name of the job',
    follow: 'go on until the job has ended',
    lines: 'only the last lines (0 with -f: only what is new)',
    attempt: 'which attempt (default: the last)',
    noHead: 'without the lines on folder, PATH and user above the log',
    encoding: 'utf-8 or cp932 (default: what fits)',
  },
  usage: {
    unknownCommand: (word: string, nearest: string | null) =>
      `unknown command "${word}"${nearest ? `; did you mean "${nearest}"?` : ''}`,
    unknownOption: (word: string) => `unknown option "${word}"`,
    missingArgument: (word: string) => `argument ${word} is missing`,
    missingValue: (word: string) => `option ${word} needs a value`,
    tooManyArguments: 'too many arguments',
    badValue: (option: string, value: string, allowed: string) => `${option}: "${value}" must be ${allowed}`,
    wholeNumber: 'a whole number from 1 to 10000',
    notBoth: (one: string, other: string) => `${one} and ${other} do not go together`,
    signal: 'a signal such as TERM, INT or KILL',
    count: 'a whole number, 0 or more',
    size: 'a size of 1k or more (500k, 10M, 1G, or plain bytes), or none',
    oneOf: (values: readonly string[]) => `one of ${values.join(', ')}`,
    seeHelp: 'jobnet --help lists commands and options.',
  },
};

const ja = {
  errorWord: 'エラー',
  warningWord: '警告',
  noteWord: '参考',
  noFile: (file: string) => `${file} がありません。-f FILE でジョブネットを指定できます`,
  unreadableFile: (file: string, code: string) => `${file} を読めません（${code}）`,
  noSuchJob: (job: string, nearest: string | null) =>
    `ジョブ「${job}」はありません${nearest ? `。「${nearest}」の間違いではありませんか` : ''}`,
  windows:
    'jobnet は Linux と macOS で動きます。Windows では WSL 2 の中で使ってください（CSV は Windows から編集できます）',
  internalError: (log: string) =>
    `jobnet 自身の不具合です（実行中のジョブは続きます）。次の内容をお知らせください:\n${log}`,
  backgroundFailed: (log: string) => `コントローラーが開始前に終了しました。${log} を確認してください`,

  planHead: (file: string, jobs: number, waves: number) => `${file}: ${jobs} ジョブ、${waves} 段`,
  moreWaves: (count: number) => `… ほか ${count} 段（すべて見るには plan --json）`,
  criticalPath: (jobs: number) => `最長の経路（${jobs} ジョブ）`,

  statusRun: (file: string, run: string, state: RunState, since: string, time: string) =>
    `${file}: 実行 ${run} ${words.ja.runState[state]}、開始 ${since}、経過 ${time}`,
  statusNoRun: (file: string) => `${file}: まだ実行されていません（CSV の内容を表示します）`,
  statusController: (life: ControllerLife, pid: number, host: string, since: string) => {
    const state = {
      alive: '稼働中',
      frozen: '停止中（シグナルによる）',
      dead: '終了',
      unknown: '確認できません',
    }[life];
    return `コントローラー: ${state}、${host} の pid ${pid}、${since} から`;
  },
  statusCounts: (jobs: number, counts: string) => `ジョブ: ${jobs}（${counts}）`,
  statusColumns: ['ジョブ', '状態', '開始', '時間', ''],
  statusMore: (count: number) => `ほか ${count} ジョブ（すべて表示するには --all）`,
  statusFile: 'CSV: ',
  outsideSince: (since: string) => `${since} から未確認（人による対応が必要）`,
  rowMissing: 'CSV に行がありません',
  blockedBy: (jobs: string) => `${jobs} の異常終了による待ち`,
  after: (jobs: string) => `先行: ${jobs}`,

  checked: (file: string, jobs: number, depth: number, refused: number) =>
    refused === 0
      ? `${file}: ${jobs} ジョブ、${depth} 段、実行できます`
      : `${file}: ${jobs} ジョブ、${depth} 段。うち ${refused} ジョブは起動できません`,
  checkNote(code: NoteCode): string {
    switch (code) {
      case 'blank-script':
        return '空白とコメントしかありません（正常終了とみなされます）';
      case 'exit-above-255':
        return 'exit の値が 0〜255 の範囲外です（下位 8 ビットしか届かないため、256 は正常終了になります）';
      case 'no-set-e':
        return '「set -e」がありません（途中のコマンドが失敗しても続行します）';
      case 'pipe-without-pipefail':
        return '「pipefail」のないパイプがあります（最後のコマンドの結果だけで判定されます）';
      case 'link-outside':
        return 'ジョブネットのフォルダーの外を指すシンボリックリンクです';
      case 'name-like-number':
        return '表計算ソフトが数値として書き換えるおそれのある名前です（先頭の 0、指数表記）';
      case 'name-like-date':
        return '表計算ソフトが日付や時刻として書き換えるおそれのある名前です';
    }
  },
  resetDone: (file: string, jobs: number) => `${file}: ${jobs} 行を 9 に戻しました`,

  noLog: (job: string) => `ジョブ「${job}」のログは前回の実行にありません（起動されていません）`,
  logHead: (head: LogHead) => [
    `ジョブ ${head.job} #${head.attempt}、実行 ${head.run}、起動 ${head.when}`,
    `フォルダー ${head.folder}、ユーザー ${head.user}、ロケール ${head.locale}`,
    `PATH ${head.path}`,
    `インタープリター ${head.interpreter ?? 'なし（プログラム）'}、スクリプト ${head.script}`,
  ],

  nulsLeftOut: (count: number) => `[先頭の NUL ${count} バイトは省略します]`,
  logShorter: 'ログが短くなりました（切り捨てられたか、空にされました）。その後の出力を表示します',

  menu: [
    '[1] ジョブネットの最初から実行する',
    '[2] アベンドしたジョブ(1)や強制終了したジョブ(2)から再実行する',
    '[3] 状況を表示する',
    '[9] 終了',
  ],
  menuQuestion: '番号を入力してEnterキーを押してください：',
  menuAgain: '正しい番号を入力してEnterキーを押してください：',

  help: {
    usage: '使い方:',
    arguments: '引数:',
    options: 'オプション:',
    globalOptions: '共通のオプション:',
    commands: 'コマンド:',
    program:
      '1 つの CSV に書いたシェルジョブのジョブネットを実行します。コマンドなしで端末から起動するとメニューを表示します。',
    file: 'ジョブネットの CSV（既定: jobnet.csv）',
    state:
      'ジャーナル、ログ、ロックを置くフォルダー（既定: CSV と同じ場所の .jobnet、環境変数 JOBNET_STATE）',
    lang: '表示言語 en または ja（既定: LC_ALL、LC_MESSAGES、LANG）',
    version: 'バージョンを表示する',
    helpOption: 'ヘルプを表示する',
    helpCommand: 'コマンドのヘルプを表示する',
    start: 'ジョブネットを最初から実行する',
    resume: '異常終了したジョブと未実行のジョブを実行する（正常終了したジョブはそのまま）',
    status: 'すべてのジョブの状況を表示する',
    check: '何も実行せずに CSV とスクリプトを検査する',
    plan: '並行して実行できるジョブと最長の経路を表示する',
    graph: 'ジョブネットを図にする',
    logs: 'ジョブの出力を表示する',
    reset: 'すべての行を 9 に戻す',
    accept: '保留中の変更（CSV 全体、元に戻した編集）を反映する',
    acceptOption:
      '壊れたように見える CSV（途切れ、多くの行の消失、表計算ソフトによる名前の書き換え）もそのまま使う',
    show: '保留中の変更を表示するだけ',
    report: 'ジョブの中から、終了コードにかかわらず失敗（1）を報告する',
    reportStatus: '0 または 1（最後の報告が有効）',
    reportJob: 'ジョブの外から報告する場合のジョブ名',
    watch: 'CSV の監視方法 auto または poll（2 秒ごと）',
    parallel: '同時に実行するジョブ数（既定: コア数 × 2）',
    failFast: '異常終了したら、実行中のジョブも終了させる',
    kill: '実行中のジョブを、起動したプロセスごと強制終了する',
    killJobs: 'ジョブ名（複数可）',
    signal: '最初に送るシグナル（既定: TERM）。その後 KILL',
    grace: '最初のシグナルから KILL までの時間（既定: 10s）',
    stop: '新しいジョブの起動を止める。実行中のジョブが終わるとコントローラーも終わる',
    stopKill: '実行中のジョブも終了させる',
    keepGoing: '異常終了の後も、それに依存しないジョブを続ける',
    logMax: 'ジョブのログの上限 500k、10M、1G、バイト数、または none（超えた分は切り捨てる。既定: 256M）',
    dryRun: '何をするかを表示し、何もしない',
    background: 'バックグラウンドで実行し、プロンプトに戻る',
    rerunLost: '終了状態不明のジョブも再実行する',
    json: 'プログラム向けに JSON で出力する',
    all: '大きなジョブネットでもすべてのジョブを表示する',
    exitStatus: '実行の結果を終了コードにする（0 すべて完了、1 異常終了または未完了）',
    format: 'text、mermaid または dot',
    around: 'このジョブと、その先行・後続ジョブだけ',
    job: 'ジョブ名',
    follow: 'ジョブが終わるまで表示を続ける',
    lines: '最後の行だけ（-f と 0 なら新しい出力だけ）',
    attempt: '何回目の試行か（既定: 最後）',
    noHead: 'ログの前にフォルダー、PATH、ユーザーを表示しない',
    encoding: 'utf-8 または cp932（既定: 内容から判定）',
  },
  usage: {
    unknownCommand: (word: string, nearest: string | null) =>
      `コマンド「${word}」はありません${nearest ? `。「${nearest}」の間違いではありませんか` : ''}`,
    unknownOption: (word: string) => `オプション「${word}」はありません`,
    missingArgument: (word: string) => `引数 ${word} がありません`,
    missingValue: (word: string) => `オプション ${word} には値が必要です`,
    tooManyArguments: '引数が多すぎます',
    badValue: (option: string, value: string, allowed: string) =>
      `${option}: 「${value}」は使えません。${allowed}を指定してください`,
    wholeNumber: '1 から 10000 までの整数',
    notBoth: (one: string, other: string) => `${one} と ${other} は同時に指定できません`,
    signal: 'TERM、INT、KILL などのシグナル',
    count: '0 以上の整数',
    size: '1k 以上のサイズ（500k、10M、1G、またはバイト数）か none ',
    oneOf: (values: readonly string[]) => `${values.join('、')} のいずれか`,
    seeHelp: 'コマンドとオプションの一覧は jobnet --help で表示できます。',
  },
} satisfies typeof en;

export const commands = { en, ja };

/** What is said while a net runs and when it has ended, in both languages. */

import type { KillCause, Leftover, Reason, RunEnd, StopSignal } from '../../core/words.js';
import type { Finding } from '../../executor/judge.js';
import type { JournalDamaged } from '../../journal/replay.js';
import { words } from './words.js';

export interface ProgressCounts {
  readonly settled: number;
  readonly total: number;
  readonly running: number;
  readonly abended: number;
}

type HolderLife = 'alive' | 'frozen' | 'dead' | 'unknown';

const STOPPED_BY: Record<StopSignal, string> = { INT: 'Ctrl-C', TERM: 'TERM', operator: 'jobnet stop' };

const en = {
  started: 'started',
  ended: (time: string) => (time === '' ? 'ended' : `ended (${time})`),
  abended: (reason: Reason) => {
    const word = reason.kind === 'lost' || reason.kind === 'killed' ? reason.kind : 'abended';
    return `${word}: ${words.en.reason(reason)}`;
  },
  killing: (cause: KillCause) => `is being ended: ${words.en.killedBy(cause)}`,
  beingKilled: (since: string, forceAt: string) => `being ended since ${since}, by force at ${forceAt}`,
  stopping: (by: StopSignal, running: number) =>
    running === 0
      ? `${STOPPED_BY[by]}: nothing new is started`
      : `${STOPPED_BY[by]}: nothing new is started; waiting for ${jobs(running)}`,
  notRunning: (status: string) => `is not running (${status})`,
  wasOver: (end: string) => `was over before it could be asked: ${end}`,
  paused: (shortage: string) =>
    `${shortage}: nothing is started until that is over; it is tried again by itself`,
  unpaused: 'jobs are started again',
  progressCounts: ({ settled, total, running, abended }: ProgressCounts) =>
    `${settled}/${total}  running ${running}${abended > 0 ? `  abended ${abended}` : ''}`,
  moreRunning: (count: number) => `… and ${count} more`,

  runBegins: (file: string, run: string, count: number, limit: number) =>
    `${file}: run ${run}, ${jobs(count)}, at most ${limit} at a time`,
  runEnded: (count: number, time: string) => `All ${jobs(count)} ended normally (${time}).`,
  runEnd: (end: RunEnd, settled: number, total: number) =>
    `Run ${words.en.runState[end]}: ${settled} of ${jobs(total)} settled.`,
  goOn: (command: string) => `Go on with: ${command}`,
  abendedJobs: 'Abended:',
  left: (left: readonly Leftover[]) => `left: ${left.map(({ pid, name }) => `${pid} ${name}`).join(', ')}`,
  scriptChanged: 'its script was changed while it ran',
  scriptsChanged: (names: string) =>
    `Changed while they ran, so that parts of both versions may have run: the scripts of ${names}`,
  outsideJobs: (count: number) =>
    `${jobs(count)} started outside: the CSV says 2, and nobody here can tell how they end. Set them to 0, 1 or 9.`,
  csvNotCurrent: (code: string) =>
    `The CSV does not show the last of it (${code}); the journal has it, and the next start or resume writes it.`,
  lostJobs: (count: number) =>
    `${jobs(count)} lost: nobody knows how they ended. resume --rerun-lost runs them again; look at their logs first.`,
  whatNext: (command: string) => `Mend the cause, then: ${command}`,
  logsHint: (command: string) => `Its log: ${command}`,
  abandons: (run: string, settled: number, abended: number) =>
    `Run ${run} was not finished and is closed; resume would have kept ${settled} ended and run ${abended} abended again.`,
  nothingToDo: (file: string) => `${file}: every job has ended normally; nothing to do.`,
  willRerun: (count: number) => `Run again: ${jobs(count)} that abended`,
  keeps: (count: number) => `Kept: ${jobs(count)} that ended normally`,
  staysLost: (count: number) => `Left alone: ${jobs(count)} lost; --rerun-lost runs them again`,
  dryRun: 'Nothing was started (--dry-run).',
  waits: (count: number) => `To run: ${jobs(count)}`,

  controllerHolds: (life: HolderLife, pid: number, host: string, since: string) => {
    const who = `pid ${pid} on ${host}, since ${since}`;
    switch (life) {
      case 'unknown':
        return `another controller has this net (${who}); it cannot be seen from here, so nothing is started`;
      case 'frozen':
        return `another controller has this net (${who}); it is stopped (SIGSTOP) and keeps it`;
      default:
        return `another controller is running this net (${who})`;
    }
  },
  tookOver: 'another controller has taken over this net; this one stops, jobs go on',
  jobsLive: (count: number) =>
    `${jobs(count)} of an earlier controller still ${count === 1 ? 'lives' : 'live'}; nothing is started:`,
  jobsLiveHint:
    'jobnet resume goes on with that run and takes them over; jobnet kill ends them; jobnet status shows them.',
  askRerunLost: (count: number) =>
    `Nobody knows how ${jobs(count)} ended. Run ${count === 1 ? 'it' : 'them'} again? [y/N] `,
  finding: (finding: Finding, pids: readonly number[]) => {
    const who = pids.length === 0 ? '' : ` (pid ${pids.join(' ')})`;
    switch (finding.kind) {
      case 'exited':
        return `ended meanwhile: exit code ${finding.code}`;
      case 'living':
        return finding.knowsEnd
          ? `still runs${who}; it is taken over`
          : `still runs${who}; its launcher is gone, so how it ends will not be known`;
      case 'undecided':
        return 'is being started; it is taken over';
      case 'not-started':
      case 'unclaimed':
        return 'was never started; it waits for its turn';
      case 'lost':
        return 'lost: nothing of it lives, and nobody recorded how it ended';
    }
  },
  pids: (pids: readonly number[]) => (pids.length === 0 ? '' : `pid ${pids.join(' ')}`),
  copiedState: (folder: string) =>
    `${folder} is a copy of another state folder: what ran there counts as lost here`,
  stateUnwritable: (folder: string, code: string) =>
    `the state folder ${folder} cannot be written (${code}); --state DIR or JOBNET_STATE chooses another`,
  journalDamaged: (file: string, line: number, fault: JournalDamaged['fault']) =>
    `the journal is damaged: ${file}, line ${line} (${fault}); nothing is started or written. jobnet start begins a new run when it was moved away.`,
  newerFormat: (file: string) => `${file} was written by a newer version of jobnet; update this one`,
  controllerFailed: (message: string) =>
    `the system refuses what the run needs: ${message}. This controller stops; jobs that run go on, resume finds their ends.`,
  background: (pid: number, run: string, log: string) =>
    `started in the background: run ${run}, pid ${pid}\nit prints to ${log}; jobnet status shows where it stands`,
};

function jobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`;
}

const ja = {
  started: '開始',
  ended: (time: string) => (time === '' ? '正常終了' : `正常終了（${time}）`),
  abended: (reason: Reason) => {
    const word = reason.kind === 'lost' || reason.kind === 'killed' ? reason.kind : 'abended';
    return `${words.ja.status[word]}: ${words.ja.reason(reason)}`;
  },
  killing: (cause: KillCause) => `強制終了中: ${words.ja.killedBy(cause)}`,
  beingKilled: (since: string, forceAt: string) => `${since} から強制終了中（${forceAt} に KILL）`,
  stopping: (by: StopSignal, running: number) =>
    `${STOPPED_BY[by]}: 新しいジョブは起動しません${running === 0 ? '' : `。実行中の ${running} ジョブの終了を待ちます`}`,
  notRunning: (status: string) => `は実行中ではありません（${status}）`,
  wasOver: (end: string) => `は要求の前に終わっていました: ${end}`,
  paused: (shortage: string) => `${shortage}: 解消するまで新しいジョブは起動しません（自動で再試行します）`,
  unpaused: 'ジョブの起動を再開します',
  progressCounts: ({ settled, total, running, abended }: ProgressCounts) =>
    `${settled}/${total}  実行中 ${running}${abended > 0 ? `  異常終了 ${abended}` : ''}`,
  moreRunning: (count: number) => `… ほか ${count} ジョブ`,

  runBegins: (file: string, run: string, count: number, limit: number) =>
    `${file}: 実行 ${run}、${count} ジョブ、同時実行は最大 ${limit}`,
  runEnded: (count: number, time: string) => `全 ${count} ジョブが正常終了しました（${time}）。`,
  runEnd: (end: RunEnd, settled: number, total: number) =>
    `ジョブネットは${words.ja.runState[end]}しました（${total} ジョブ中 ${settled} ジョブが完了）。`,
  goOn: (command: string) => `続きを実行するには: ${command}`,
  abendedJobs: '異常終了したジョブ:',
  left: (left: readonly Leftover[]) =>
    `残っているプロセス: ${left.map(({ pid, name }) => `${pid} ${name}`).join('、')}`,
  scriptChanged: '実行中にスクリプトが変更されました',
  scriptsChanged: (names: string) =>
    `実行中にスクリプトが変更されたジョブ（新旧両方の一部が実行された可能性があります）: ${names}`,
  outsideJobs: (count: number) =>
    `外部起動のジョブが ${count} 件あります（CSV の status が 2）。終了はここからは分かりません。0、1、9 のいずれかにしてください。`,
  csvNotCurrent: (code: string) =>
    `CSV に最後の状況を書き込めていません（${code}）。ジャーナルには記録されており、次の start または resume で書き込みます。`,
  lostJobs: (count: number) =>
    `終了状態不明のジョブが ${count} 件あります。ログを確認のうえ、再実行するには resume --rerun-lost を指定してください。`,
  whatNext: (command: string) => `原因を取り除いてから: ${command}`,
  logsHint: (command: string) => `ログ: ${command}`,
  abandons: (run: string, settled: number, abended: number) =>
    `終わっていない実行 ${run} を閉じます（resume なら正常終了の ${settled} ジョブを残し、異常終了の ${abended} ジョブを再実行するところでした）。`,
  nothingToDo: (file: string) => `${file}: すべてのジョブが正常終了しています。することはありません。`,
  willRerun: (count: number) => `再実行: 異常終了した ${count} ジョブ`,
  keeps: (count: number) => `そのまま: 正常終了した ${count} ジョブ`,
  staysLost: (count: number) => `対象外: 終了状態不明の ${count} ジョブ（--rerun-lost で再実行）`,
  dryRun: '何も起動していません（--dry-run）。',
  waits: (count: number) => `実行予定: ${count} ジョブ`,

  controllerHolds: (life: HolderLife, pid: number, host: string, since: string) => {
    const who = `${host} の pid ${pid}、${since} から`;
    switch (life) {
      case 'unknown':
        return `別のコントローラーがこのジョブネットを占有しています（${who}）。ここからは生死を確認できないため、何も起動しません`;
      case 'frozen':
        return `別のコントローラーがこのジョブネットを占有したまま停止しています（${who}、SIGSTOP）`;
      default:
        return `別のコントローラーがこのジョブネットを実行しています（${who}）`;
    }
  },
  tookOver:
    '別のコントローラーがこのジョブネットを引き継ぎました。このコントローラーは終了します（ジョブは続きます）',
  jobsLive: (count: number) =>
    `前のコントローラーが起動した ${count} ジョブがまだ動いています。何も起動しません:`,
  jobsLiveHint: 'jobnet resume で引き継いで続行、jobnet kill で強制終了できます（状況は jobnet status）。',
  askRerunLost: (count: number) => `${count} ジョブの終了状態が不明です。再実行しますか? [y/N] `,
  finding: (finding: Finding, pids: readonly number[]) => {
    const who = pids.length === 0 ? '' : `（pid ${pids.join(' ')}）`;
    switch (finding.kind) {
      case 'exited':
        return `終了していました: 終了コード ${finding.code}`;
      case 'living':
        return finding.knowsEnd
          ? `実行中です${who}。引き継ぎます`
          : `実行中です${who}。ランチャーがいないため、終了状態は分かりません`;
      case 'undecided':
        return '起動中です。引き継ぎます';
      case 'not-started':
      case 'unclaimed':
        return '起動していませんでした。順番を待ちます';
      case 'lost':
        return '終了状態不明: 動いているものがなく、終了コードの記録もありません';
    }
  },
  pids: (pids: readonly number[]) => (pids.length === 0 ? '' : `pid ${pids.join(' ')}`),
  copiedState: (folder: string) =>
    `${folder} は別の状態フォルダーのコピーです。コピー元で動いていたジョブは終了状態不明とします`,
  stateUnwritable: (folder: string, code: string) =>
    `状態フォルダー ${folder} に書き込めません（${code}）。--state DIR または JOBNET_STATE で別の場所を指定できます`,
  journalDamaged: (file: string, line: number, fault: JournalDamaged['fault']) =>
    `ジャーナルが壊れています: ${file} の ${line} 行目（${fault}）。何も起動せず、何も書き込みません。退避すれば jobnet start で新しく実行できます。`,
  newerFormat: (file: string) =>
    `${file} は新しいバージョンの jobnet で書かれています。jobnet を更新してください`,
  controllerFailed: (message: string) =>
    `実行に必要な操作をシステムが拒みました: ${message}。コントローラーを終了します。実行中のジョブは続き、その終了は resume が確認します。`,
  background: (pid: number, run: string, log: string) =>
    `バックグラウンドで開始しました: 実行 ${run}、pid ${pid}\n出力先は ${log}、状況は jobnet status で確認できます`,
} satisfies typeof en;

export const running = { en, ja };

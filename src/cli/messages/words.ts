/** The words for states and reasons, in both languages. */
import type { StatusWord } from '../../core/project.js';
import type { KillCause, Reason, RunState, ScriptProblem, Shortage } from '../../core/words.js';
import { signalAfter } from '../signals.js';
import { duration } from '../view/times.js';

const en = {
  status: {
    waiting: 'waiting',
    launching: 'launching',
    running: 'running',
    ended: 'ended',
    abended: 'abended',
    killed: 'killed',
    lost: 'lost',
    blocked: 'blocked',
    skipped: 'skipped',
    outside: 'outside',
  } satisfies Record<StatusWord, string>,

  runState: {
    running: 'running',
    stopping: 'stopping',
    waiting: 'waiting',
    ended: 'ended',
    abended: 'abended',
    stopped: 'stopped',
    abandoned: 'abandoned',
  } satisfies Record<RunState, string>,

  reason(reason: Reason): string {
    switch (reason.kind) {
      case 'exit':
        return exitText(reason.code);
      case 'refused':
        return en.scriptProblem(reason.problem);
      case 'lost':
        return 'its end could not be learned; look at its log before you run it again';
      case 'from-csv':
        return 'the CSV said 1, and there is no journal that knows more';
      case 'reported':
        return `it reported 1 itself (exit code ${reason.code})`;
      case 'by-hand':
        return 'marked abended in the CSV by a person';
      case 'killed':
        return [en.killedBy(reason.cause), ...survivorsOf(reason, 'still there: ')].join('; ');
    }
  },

  killedBy(cause: KillCause): string {
    switch (cause.kind) {
      case 'operator':
        return `by jobnet kill (${cause.user})`;
      case 'stop':
        return `by jobnet stop --kill (${cause.user})`;
      case 'signal':
        return cause.signal === 'INT' ? 'by a second Ctrl-C' : 'by a second TERM';
      case 'timeout':
        return `it ran for longer than ${duration(cause.limitMs)} (timeout)`;
      case 'fail-fast':
        return 'because another job abended (--fail-fast)';
    }
  },

  scriptProblem(problem: ScriptProblem): string {
    switch (problem.kind) {
      case 'missing':
        return `not started: no script; looked for ${problem.paths.join(' and ')}`;
      case 'not-a-file':
        return `not started: ${problem.path} is ${problem.found === 'folder' ? 'a folder' : 'not a regular file'}`;
      case 'not-executable':
        return `not started: ${problem.path} is not executable (mode ${problem.mode}); chmod +x ${problem.path}`;
      case 'unreachable':
        return `not started: ${problem.path} cannot be reached (${problem.code})`;
      case 'empty':
        return `not started: ${problem.path} is empty; an empty script would count as a normal end`;
      case 'carriage-return':
        return `not started: the first line of ${problem.path} ends in a carriage return (saved on Windows); sed -i 's/\\r$//' ${problem.path}`;
      case 'byte-order-mark':
        return `not started: ${problem.path} begins with a byte-order mark; save it as UTF-8 without BOM`;
      case 'interpreter-missing':
        return `not started: ${problem.path} wants ${problem.interpreter}, which is missing or not executable`;
      case 'start-failed':
        return `not started: ${problem.message}`;
    }
  },

  shortage(shortage: Shortage): string {
    switch (shortage.kind) {
      case 'folder-gone':
        return `${shortage.path} is gone`;
      case 'resources':
        return `waiting for resources: ${shortage.message}`;
    }
  },
};

function survivorsOf({ survivors = [] }: Reason & { kind: 'killed' }, title: string): string[] {
  if (survivors.length === 0) return [];
  return [title + survivors.map(({ pid, name, state }) => `${pid} ${name} (${state})`).join(', ')];
}

/** A code, and what it may mean: hints, not facts. */
function exitText(code: number): string {
  const signal = signalAfter(code);
  if (signal) return `exit code ${code} (as after signal ${signal})${code === 137 ? '; out of memory?' : ''}`;
  if (code === 126) return 'exit code 126 (often: a command that cannot be executed)';
  if (code === 127) return 'exit code 127 (often: a command that was not found)';
  return `exit code ${code}`;
}

const ja = {
  status: {
    waiting: '先行終了待ち',
    launching: '起動中',
    running: '実行中',
    ended: '正常終了',
    abended: '異常終了',
    killed: '強制終了',
    lost: '終了状態不明',
    blocked: '先行異常による待ち',
    skipped: 'スキップ',
    outside: '外部起動',
  },

  runState: {
    running: '実行中',
    stopping: '停止処理中',
    waiting: '待機中',
    ended: '正常終了',
    abended: '異常終了',
    stopped: '停止',
    abandoned: '放棄',
  },

  reason(reason: Reason): string {
    switch (reason.kind) {
      case 'exit':
        return exitTextJa(reason.code);
      case 'refused':
        return ja.scriptProblem(reason.problem);
      case 'lost':
        return '終了状態を確認できません。再実行の前にログを確認してください';
      case 'from-csv':
        return 'CSV の status が 1 でした（ジャーナルに記録がありません）';
      case 'reported':
        return `ジョブ自身が 1 を報告しました（終了コード ${reason.code}）`;
      case 'by-hand':
        return 'CSV の編集により異常終了とされました';
      case 'killed':
        return [ja.killedBy(reason.cause), ...survivorsOf(reason, '残っているプロセス: ')].join('。');
    }
  },

  killedBy(cause: KillCause): string {
    switch (cause.kind) {
      case 'operator':
        return `jobnet kill による（${cause.user}）`;
      case 'stop':
        return `jobnet stop --kill による（${cause.user}）`;
      case 'signal':
        return cause.signal === 'INT' ? '2 回目の Ctrl-C による' : '2 回目の TERM による';
      case 'timeout':
        return `制限時間超過（${duration(cause.limitMs)}）`;
      case 'fail-fast':
        return '他のジョブの異常終了による（--fail-fast）';
    }
  },

  scriptProblem(problem: ScriptProblem): string {
    switch (problem.kind) {
      case 'missing':
        return `起動できません: スクリプトがありません（探した場所: ${problem.paths.join('、')}）`;
      case 'not-a-file':
        return `起動できません: ${problem.path} は${problem.found === 'folder' ? 'フォルダーです' : '通常のファイルではありません'}`;
      case 'not-executable':
        return `起動できません: ${problem.path} に実行権限がありません（モード ${problem.mode}）。chmod +x ${problem.path}`;
      case 'unreachable':
        return `起動できません: ${problem.path} にアクセスできません（${problem.code}）`;
      case 'empty':
        return `起動できません: ${problem.path} が空です（空のスクリプトは正常終了とみなされてしまうため）`;
      case 'carriage-return':
        return `起動できません: ${problem.path} の 1 行目が CR で終わっています（Windows で保存）。sed -i 's/\\r$//' ${problem.path}`;
      case 'byte-order-mark':
        return `起動できません: ${problem.path} の先頭に BOM があります。BOM なしの UTF-8 で保存してください`;
      case 'interpreter-missing':
        return `起動できません: ${problem.path} が指定する ${problem.interpreter} がないか、実行できません`;
      case 'start-failed':
        return `起動できません: ${problem.message}`;
    }
  },

  shortage(shortage: Shortage): string {
    switch (shortage.kind) {
      case 'folder-gone':
        return `${shortage.path} が見つかりません`;
      case 'resources':
        return `資源不足のため待機中: ${shortage.message}`;
    }
  },
} satisfies typeof en;

function exitTextJa(code: number): string {
  const signal = signalAfter(code);
  if (signal)
    return `終了コード ${code}（シグナル ${signal} による終了に相当）${code === 137 ? '。メモリー不足の可能性' : ''}`;
  if (code === 126) return '終了コード 126（コマンドを実行できないときによく使われる値）';
  if (code === 127) return '終了コード 127（コマンドが見つからないときによく使われる値）';
  return `終了コード ${code}`;
}

export const words = { en, ja };

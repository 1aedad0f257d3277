/** What is said about the operator's file while a net runs, in both languages. */
import type {
  ByHand,
  FileEvent,
  HoldReason,
  InPlaceReason,
  StatusCode,
  WatchReason,
} from '../../core/words.js';
import { problems } from './problems.js';

const en = {
  fileEvent(event: FileEvent): string {
    switch (event.type) {
      case 'version':
        switch (event.outcome) {
          case 'taken':
            return `the CSV was taken as it is now: ${changes(event.added.length, event.removed.length, event.redefined)}`;
          case 'held':
            return `a version of the CSV waits for "jobnet accept": ${holdReason(event.why)}; the net goes on as it was`;
          case 'refused': {
            const more = event.problems > 1 ? ` (and ${event.problems - 1} more)` : '';
            return `a version of the CSV is refused, the net goes on as it was: ${problems.en.problem(event.first)}${more}`;
          }
          case 'unreadable':
            return `the CSV cannot be read (${event.code}); the net goes on as it was`;
          case 'restored':
            return 'the CSV is again what it was';
        }
        return '';
      case 'edit':
        return `edit of ${event.job} from ${event.from} to ${event.to}: ${editOutcome(event.outcome)}`;
      case 'watching':
        return `watching the CSV ${event.mode === 'events' ? 'by events' : `every 2 s (${watchReason(event.why)})`}`;
      case 'unwritten':
        return `the CSV cannot be written (${event.code}); the run goes on, what is missing is written when it can be`;
      case 'written':
        return event.inPlace
          ? `the CSV is written in place, with a copy kept first (${inPlaceReason(event.inPlace)})`
          : 'the CSV is up to date again';
    }
  },

  byHand(event: ByHand): string {
    switch (event.type) {
      case 'abended':
        return 'marked abended, by the CSV';
      case 'rerun':
        return event.by === 'accept' ? 'to run again, accepted' : 'to run again, by the CSV';
      case 'skipped':
        return 'skipped, by the CSV';
      case 'settled':
        return 'settled, by the CSV';
      case 'outside':
        return 'started outside, by the CSV: not launched here';
    }
  },

  doubtful: (file: string, why: HoldReason) =>
    `${file} is not taken as it is, nothing is started: ${holdReason(why)}`,
  acceptDoubtful: (command: string) =>
    `Put it right, or run "jobnet ${command} --accept" if this is what you want.`,
  acceptedEdits: (count: number) => `taken: ${count} ${count === 1 ? 'edit' : 'edits'}`,
  acceptedVersion: 'taken: the version of the CSV that was held',
  versionHeld: 'a version of the CSV waits; jobnet status says why',
  nothingHeld: 'nothing waits to be accepted',
  heldEdit: (job: string, to: StatusCode) => `${job} -> ${to}: would run again`,
  noController: (file: string) => `no controller is running ${file}`,
  controllerRefused: (message: string) => `the controller says no: ${message}`,
  reported: (job: string, attempt: number, status: string) => `${job} #${attempt} has reported ${status}`,
  noLiveAttempt: (job: string) => `job "${job}" has no attempt that runs`,
  whichJob: 'which job? Inside a job nothing more is needed; outside name it with --job',
  lastGood: (file: string) => `The last good version is kept: ${file}`,
  csvUnwritable: (file: string, code: string) =>
    `${file} cannot be written (${code}); nothing is started, as nobody would see where it stands`,
};

function changes(added: number, removed: number, redefined: number): string {
  const parts = [
    ...(added > 0 ? [`${added} ${added === 1 ? 'row' : 'rows'} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(redefined > 0 ? [`${redefined} with other predecessors or commands`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'the same jobs';
}

function holdReason(why: HoldReason): string {
  switch (why.kind) {
    case 'cut-off':
      return 'it ends in the middle of a row';
    case 'rows-gone':
      return `${why.gone} of ${why.known} rows are gone`;
    case 'names-changed':
      return `names look changed by a spreadsheet: ${why.pairs.map(([from, to]) => `${from} -> ${to}`).join(', ')}`;
  }
}

function editOutcome(outcome: 'refused' | 'stale' | 'held'): string {
  switch (outcome) {
    case 'refused':
      return 'put back, as the job is not in a state for it';
    case 'stale':
      return 'put back, as the row was saved from an older state';
    case 'held':
      return 'put back; "jobnet accept" runs it again (or set 9 and leave the times)';
  }
}

function watchReason(why: WatchReason): string {
  switch (why.kind) {
    case 'local':
      return 'local';
    case 'asked':
      return '--watch poll';
    case 'network':
      return `${why.fileSystem} tells nothing of other machines`;
    case 'failed':
      return `no watch available: ${why.message}`;
  }
}

function inPlaceReason(why: InPlaceReason): string {
  switch (why) {
    case 'hard-links':
      return 'it has several names';
    case 'mount-point':
      return 'it is a mount point';
    case 'owner':
      return 'it belongs to somebody else';
    case 'folder':
      return 'no file can be made beside it';
  }
}

const ja = {
  fileEvent(event: FileEvent): string {
    switch (event.type) {
      case 'version':
        switch (event.outcome) {
          case 'taken':
            return `CSV の変更を反映しました: ${changesJa(event.added.length, event.removed.length, event.redefined)}`;
          case 'held':
            return `CSV の変更を保留しています（jobnet accept で反映）: ${holdReasonJa(event.why)}。ジョブネットはこれまでの内容で続けます`;
          case 'refused': {
            const more = event.problems > 1 ? `（ほか ${event.problems - 1} 件）` : '';
            return `CSV に問題があるため反映しません（これまでの内容で続けます）: ${problems.ja.problem(event.first)}${more}`;
          }
          case 'unreadable':
            return `CSV を読めません（${event.code}）。これまでの内容で続けます`;
          case 'restored':
            return 'CSV が元の内容に戻りました';
        }
        return '';
      case 'edit':
        return `${event.job} の status の編集 ${event.from} → ${event.to}: ${editOutcomeJa(event.outcome)}`;
      case 'watching':
        return `CSV の監視: ${event.mode === 'events' ? 'イベント' : `2 秒ごと（${watchReasonJa(event.why)}）`}`;
      case 'unwritten':
        return `CSV に書き込めません（${event.code}）。実行は続け、書けるようになり次第書き込みます`;
      case 'written':
        return event.inPlace
          ? `CSV は控えを取ったうえで直接書き換えます（${inPlaceReasonJa(event.inPlace)}）`
          : 'CSV は最新の状態に戻りました';
    }
  },

  byHand(event: ByHand): string {
    switch (event.type) {
      case 'abended':
        return 'CSV の編集により異常終了とします';
      case 'rerun':
        return event.by === 'accept' ? 'accept により再実行します' : 'CSV の編集により再実行します';
      case 'skipped':
        return 'CSV の編集によりスキップします';
      case 'settled':
        return 'CSV の編集により完了扱いにします';
      case 'outside':
        return 'CSV の編集により外部起動とみなします（ここでは起動しません）';
    }
  },

  doubtful: (file: string, why: HoldReason) =>
    `${file} は確認が必要なため、何も起動しません: ${holdReasonJa(why)}`,
  acceptDoubtful: (command: string) =>
    `CSV を直すか、このままでよければ jobnet ${command} --accept を実行してください。`,
  acceptedEdits: (count: number) => `${count} 件の編集を反映しました`,
  acceptedVersion: '保留していた CSV を反映しました',
  versionHeld: '保留中の CSV があります（理由は jobnet status）',
  nothingHeld: '保留中の変更はありません',
  heldEdit: (job: string, to: StatusCode) => `${job} → ${to}: 再実行します`,
  noController: (file: string) => `${file} を実行しているコントローラーはありません`,
  controllerRefused: (message: string) => `コントローラーが断りました: ${message}`,
  reported: (job: string, attempt: number, status: string) =>
    `${job} #${attempt} が ${status} を報告しました`,
  noLiveAttempt: (job: string) => `ジョブ「${job}」の実行中の試行はありません`,
  whichJob: 'どのジョブか分かりません。ジョブの中では指定不要です。外からは --job で指定してください',
  lastGood: (file: string) => `最後に正しく読めた版が残っています: ${file}`,
  csvUnwritable: (file: string, code: string) =>
    `${file} に書き込めません（${code}）。状況を確認できなくなるため、何も起動しません`,
} satisfies typeof en;

function changesJa(added: number, removed: number, redefined: number): string {
  const parts = [
    ...(added > 0 ? [`${added} 行を追加`] : []),
    ...(removed > 0 ? [`${removed} 行を削除`] : []),
    ...(redefined > 0 ? [`${redefined} 行の先行ジョブまたはコマンドを変更`] : []),
  ];
  return parts.length > 0 ? parts.join('、') : 'ジョブの構成は同じ';
}

function holdReasonJa(why: HoldReason): string {
  switch (why.kind) {
    case 'cut-off':
      return '行の途中で終わっています';
    case 'rows-gone':
      return `${why.known} 行のうち ${why.gone} 行がなくなっています`;
    case 'names-changed':
      return `表計算ソフトが名前を書き換えたようです: ${why.pairs.map(([from, to]) => `${from} → ${to}`).join('、')}`;
  }
}

function editOutcomeJa(outcome: 'refused' | 'stale' | 'held'): string {
  switch (outcome) {
    case 'refused':
      return 'ジョブの状態に合わないため元に戻しました';
    case 'stale':
      return '古い状態から保存された行のため元に戻しました';
    case 'held':
      return '元に戻しました。再実行するには jobnet accept（または時刻を残したまま 9 に）';
  }
}

function watchReasonJa(why: WatchReason): string {
  switch (why.kind) {
    case 'local':
      return 'ローカル';
    case 'asked':
      return '--watch poll';
    case 'network':
      return `${why.fileSystem} ではほかのマシンの変更が通知されません`;
    case 'failed':
      return `イベントを利用できません: ${why.message}`;
  }
}

function inPlaceReasonJa(why: InPlaceReason): string {
  switch (why) {
    case 'hard-links':
      return 'ハードリンクがあるため';
    case 'mount-point':
      return 'マウントポイントのため';
    case 'owner':
      return '所有者が異なるため';
    case 'folder':
      return '同じ場所にファイルを作れないため';
  }
}

export const file = { en, ja };

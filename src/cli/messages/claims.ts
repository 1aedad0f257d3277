/** What is said about locks, what is done once, leases and fences, in both languages. */
import type { Fault } from '../../claim/selftest.js';
import type { Life } from '../../claim/steps.js';

/** Who holds a claim, as it is told to people. */
export interface HolderText {
  readonly host: string;
  readonly pid: number;
  readonly life: Life;
  /** The owner is dead and its command still lives. */
  readonly isCommand: boolean;
  readonly since: string;
  /** Of a lease: seconds since its last beat. */
  readonly beatS: number | null;
}

const en = {
  claims: {
    isHeld: (name: string, holder: HolderText, folder: string) =>
      `${name} is held by ${holderText(holder)} (${folder})`,
    isHeldByScript: (name: string, holder: string, folder: string) =>
      `${name} is held by ${holder}, an old script's lease (${folder})`,
    isOther: (name: string, folder: string) =>
      `${name} is not of this kind: look with "jobnet lock list" (${folder})`,
    waiting: (name: string, holder: HolderText, folder: string) =>
      `waiting for ${name}: ${holderText(holder)} (${folder})`,
    watching: (name: string, seconds: number, folder: string) =>
      `watching ${name} for ${seconds} s: its holder seems to be gone (${folder})`,
    lost: (name: string, number: number, folder: string) =>
      `${name} number ${number} is lost; the command was stopped (${folder})`,
    notYours: (name: string, number: number, folder: string) =>
      `number ${number} does not hold ${name} any more (${folder})`,
    begins: (name: string, key: string, folder: string) => `${name} ${key}: begins (${folder})`,
    doneAlready: (name: string, key: string, at: string, end: string, folder: string) =>
      `${name} ${key}: done already at ${at} (${end}); nothing is started (${folder})`,
    exit: (code: number) => `exit ${code}`,
    signal: (signal: string) => `signal ${signal}`,
    onceLost: (name: string, key: string, folder: string) =>
      `${name} ${key} was begun and nobody knows how it ended; look, then --again-if-lost or "jobnet once forget" (${folder})`,
    forgotten: (name: string, key: string, folder: string) =>
      `${name} ${key}: forgotten; it may begin again (${folder})`,
    nothingToForget: (name: string, key: string, folder: string) =>
      `${name} ${key}: nothing is known (${folder})`,
    broken: (name: string, number: number, folder: string) =>
      `${name} number ${number} is broken (${folder})`,
    breaksLiving: (holder: HolderText, folder: string) =>
      `its holder lives: ${holderText(holder)}; it notices within a second (${folder})`,
    notHeld: (name: string, folder: string) => `${name} is not held (${folder})`,
    noClaims: (folder: string) => `no claims in ${folder}`,
    heads: ['name', 'kind', 'number', 'state', 'holder', 'since'],
    kinds: { lock: 'lock', once: 'once', lease: 'lease' },
    states: {
      held: 'held',
      stopped: 'held (stopped)',
      unknown: 'held (cannot look)',
      command: 'held (its command)',
      dead: 'over (holder died)',
      lost: 'unknown end',
      expired: 'not renewed',
      released: 'released',
      done: 'done',
      failed: 'failed',
      damaged: 'damaged',
    },
    released: (name: string, number: number) => `${name} number ${number} is released`,
    fenced: (target: string, token: number, highest: number) =>
      `token ${token} may not write ${target}: ${highest} has written`,
    noToken: 'which token? give --token, or run inside "jobnet lease run" (JOBNET_TOKEN)',
    wrongName: (name: string) =>
      `"${name}" cannot name a claim: no / and @, no leading . or -, at most 100 bytes`,
    wrongZone: (zone: string) => `no such time zone: ${zone}`,
    noCommand: 'no command; write it behind "--"',
    damaged: (file: string) =>
      `${file} holds no claim; if nobody holds it, remove it or use "jobnet lock break"`,
    cannotStart: (message: string, folder: string) => `the command cannot be started: ${message} (${folder})`,
    folderFails: (folder: string, code: string) => `${folder} cannot be used (${code})`,
    trusted: (folder: string, contenders: number, skew: string) =>
      `${folder} can be trusted with locks, once and leases of this machine: ${contenders} at once, never two; its clock ${skew}`,
    sharedNote:
      'Other machines: run this on each of them at the same time; see docs/locks.md for NFS and SMB.',
    distrusted: (folder: string, faults: readonly Fault[]) =>
      `${folder} must not be used for locks, once or leases: ${faults.map(faultText).join('; ')}`,
    skew: (ms: number) =>
      Math.abs(ms) < 1000
        ? 'agrees with ours'
        : `is ${Math.abs(Math.round(ms / 1000))} s ${ms > 0 ? 'ahead' : 'behind'}`,
    help: {
      lock: 'one at a time: locks for any command',
      lockRun: 'run a command while nobody else does so under this name',
      lockList: 'show what is held, by whom, and whether that one lives',
      lockBreak: 'take a lock or lease away from its holder',
      lockSelftest: 'try out whether a folder can be trusted with locks',
      once: 'run a command once a day (or hour, week, month, key)',
      onceForget: 'free a key: it may begin again',
      lease: 'leases across machines, with fencing tokens',
      leaseAcquire: 'take a lease and print its token',
      leaseRenew: 'renew a lease by its token; 12 when it is lost',
      leaseRelease: 'give a lease back',
      leaseList: 'show leases',
      leaseRun: 'run a command under a lease; it is stopped when the lease is lost',
      fence: 'writes under a fencing token',
      fenceWrite: 'replace a file by standard input, unless a higher token has written it',
      name: 'name of the claim',
      command: 'the command and its arguments, behind "--"',
      target: 'the file to replace',
      testedFolder: 'the folder to try out',
      dir: 'folder of claims (default: JOBNET_LOCK_DIR, ~/.local/state/jobnet/claims)',
      leaseDir: 'folder of leases (default: LEASE_DIR, JOBNET_LOCK_DIR, ~/.local/state/jobnet/claims)',
      nonblock: 'do not wait: exit 11 when it is held',
      wait: 'wait so long at most, e.g. 10s, 5m (default: for ever)',
      conflictCode: 'exit code when it is held, instead of 11',
      per: 'hour, day, week or month (default: day)',
      key: 'a key of your own instead of a date',
      zone: 'time zone of the date, e.g. Asia/Tokyo (default: that of the system)',
      againIfFailed: 'again when it failed for this key',
      againIfLost: 'again when nobody knows how it ended for this key',
      keep: 'how long ends are kept (default: 7d)',
      reason: 'why, for the record',
      ttl: 'for how long a renewal counts, at least 3s (default: TTL_SEC, 120s)',
      leaseWait: 'wait until it is free',
      token: 'the number that "lease acquire" printed',
      fenceToken: 'token of the writer (default: JOBNET_TOKEN)',
      grace: 'time between TERM and KILL when the lease is lost (default: 10s)',
    },
    duration: 'a time such as 30s, 5m, 2h, 7d',
    exitCode: 'a whole number from 0 to 255',
  },
};

function holderText({ host, pid, life, isCommand, since, beatS }: HolderText): string {
  const who = `${isCommand ? 'the command of ' : ''}process ${pid} on ${host}`;
  const how = { alive: '', frozen: ', stopped', dead: ', dead', unknown: ', out of sight' }[life];
  return `${who}${how}, since ${since}${beatS === null ? '' : `, last beat ${beatS} s ago`}`;
}

function faultText(fault: Fault): string {
  switch (fault) {
    case 'link-twice':
      return 'it gave one name to two';
    case 'link-content':
      return 'a name appeared with another content';
    case 'listing':
      return 'a new name was not in the next listing';
    case 'rename':
      return 'a file was not replaced as a whole';
    case 'two-holders':
      return 'two held one claim at the same time';
  }
}

const ja = {
  claims: {
    isHeld: (name: string, holder: HolderText, folder: string) =>
      `${name} は占有されています: ${holderTextJa(holder)}（${folder}）`,
    isHeldByScript: (name: string, holder: string, folder: string) =>
      `${name} は従来のスクリプトのリースで占有されています: ${holder}（${folder}）`,
    isOther: (name: string, folder: string) =>
      `${name} は種類が異なります。jobnet lock list で確認してください（${folder}）`,
    waiting: (name: string, holder: HolderText, folder: string) =>
      `${name} を待っています: ${holderTextJa(holder)}（${folder}）`,
    watching: (name: string, seconds: number, folder: string) =>
      `${name} の保持者はいなくなったようです。${seconds} 秒間確認します（${folder}）`,
    lost: (name: string, number: number, folder: string) =>
      `${name} の ${number} 番は失われました。コマンドを停止しました（${folder}）`,
    notYours: (name: string, number: number, folder: string) =>
      `${number} 番はもう ${name} を占有していません（${folder}）`,
    begins: (name: string, key: string, folder: string) => `${name} ${key}: 開始します（${folder}）`,
    doneAlready: (name: string, key: string, at: string, end: string, folder: string) =>
      `${name} ${key}: ${at} に実行済みです（${end}）。何も起動しません（${folder}）`,
    exit: (code: number) => `終了コード ${code}`,
    signal: (signal: string) => `シグナル ${signal}`,
    onceLost: (name: string, key: string, folder: string) =>
      `${name} ${key} は開始されましたが、終了状態が不明です。確認のうえ --again-if-lost または jobnet once forget を使ってください（${folder}）`,
    forgotten: (name: string, key: string, folder: string) =>
      `${name} ${key}: 記録を取り消しました。再び開始できます（${folder}）`,
    nothingToForget: (name: string, key: string, folder: string) =>
      `${name} ${key}: 記録がありません（${folder}）`,
    broken: (name: string, number: number, folder: string) =>
      `${name} の ${number} 番を解除しました（${folder}）`,
    breaksLiving: (holder: HolderText, folder: string) =>
      `保持者は生きています: ${holderTextJa(holder)}。1 秒以内に気づきます（${folder}）`,
    notHeld: (name: string, folder: string) => `${name} は占有されていません（${folder}）`,
    noClaims: (folder: string) => `${folder} に占有はありません`,
    heads: ['名前', '種類', '番号', '状態', '保持者', '開始'],
    kinds: { lock: 'ロック', once: '一度だけ', lease: 'リース' },
    states: {
      held: '占有中',
      stopped: '占有中（停止）',
      unknown: '占有中（確認不可）',
      command: '占有中（コマンド）',
      dead: '終了（保持者が異常終了）',
      lost: '終了状態不明',
      expired: '更新切れ',
      released: '解放済み',
      done: '実行済み',
      failed: '失敗',
      damaged: '破損',
    },
    released: (name: string, number: number) => `${name} の ${number} 番を解放しました`,
    fenced: (target: string, token: number, highest: number) =>
      `トークン ${token} では ${target} に書き込めません。${highest} が書き込み済みです`,
    noToken:
      'トークンが分かりません。--token で指定するか、jobnet lease run の中で実行してください（JOBNET_TOKEN）',
    wrongName: (name: string) =>
      `「${name}」は占有の名前に使えません（/ と @、先頭の . と - は不可、100 バイトまで）`,
    wrongZone: (zone: string) => `タイムゾーンがありません: ${zone}`,
    noCommand: 'コマンドがありません。「--」の後に書いてください',
    damaged: (file: string) =>
      `${file} は占有の記録ではありません。だれも占有していなければ、削除するか jobnet lock break を使ってください`,
    cannotStart: (message: string, folder: string) => `コマンドを起動できません: ${message}（${folder}）`,
    folderFails: (folder: string, code: string) => `${folder} を使えません（${code}）`,
    trusted: (folder: string, contenders: number, skew: string) =>
      `${folder} はこのマシンのロック・一度だけ・リースに使えます: ${contenders} 個が同時に取り合っても二重の占有なし。時計${skew}`,
    sharedNote:
      'ほかのマシンでも使うときは、すべてのマシンで同時に実行してください（NFS・SMB は docs/locks.ja.md）。',
    distrusted: (folder: string, faults: readonly Fault[]) =>
      `${folder} はロック・一度だけ・リースに使えません: ${faults.map(faultTextJa).join('、')}`,
    skew: (ms: number) =>
      Math.abs(ms) < 1000
        ? 'は一致'
        : `が ${Math.abs(Math.round(ms / 1000))} 秒${ms > 0 ? '進んでいます' : '遅れています'}`,
    help: {
      lock: '同時に一つだけ: コマンドのロック',
      lockRun: 'この名前でほかに実行中のものがない間だけコマンドを実行する',
      lockList: '占有の一覧（保持者と、その生死）',
      lockBreak: 'ロックやリースを保持者から取り上げる',
      lockSelftest: 'フォルダーをロックに使えるか試す',
      once: 'コマンドを 1 日（時間、週、月、キー）に一度だけ実行する',
      onceForget: 'キーを取り消し、再び開始できるようにする',
      lease: '複数マシンのリースとフェンシングトークン',
      leaseAcquire: 'リースを取得してトークンを表示する',
      leaseRenew: 'トークンでリースを更新する（失われていれば 12）',
      leaseRelease: 'リースを返す',
      leaseList: 'リースの一覧',
      leaseRun: 'リースの下でコマンドを実行する（失われたら停止する）',
      fence: 'フェンシングトークンによる書き込み',
      fenceWrite: '標準入力でファイルを置き換える（より大きいトークンが書き込み済みなら拒否）',
      name: '占有の名前',
      command: 'コマンドと引数（「--」の後に）',
      target: '置き換えるファイル',
      testedFolder: '試すフォルダー',
      dir: '占有のフォルダー（既定: JOBNET_LOCK_DIR、~/.local/state/jobnet/claims）',
      leaseDir: 'リースのフォルダー（既定: LEASE_DIR、JOBNET_LOCK_DIR、~/.local/state/jobnet/claims）',
      nonblock: '待たない（占有されていれば終了コード 11）',
      wait: '最長の待ち時間（例: 10s、5m。既定: 無制限）',
      conflictCode: '占有されているときの終了コード（11 の代わり）',
      per: 'hour、day、week、month（既定: day）',
      key: '日付の代わりのキー',
      zone: '日付のタイムゾーン（例: Asia/Tokyo。既定: システム）',
      againIfFailed: 'このキーで失敗していれば再び実行する',
      againIfLost: 'このキーの終了状態が不明なら再び実行する',
      keep: '記録を残す期間（既定: 7d）',
      reason: '理由（記録に残る）',
      ttl: '更新が有効な時間（3s 以上。既定: TTL_SEC、120s）',
      leaseWait: '空くまで待つ',
      token: 'lease acquire が表示した番号',
      fenceToken: '書き込む側のトークン（既定: JOBNET_TOKEN）',
      grace: 'リースを失ったときの TERM から KILL までの時間（既定: 10s）',
    },
    duration: '時間（例: 30s、5m、2h、7d）',
    exitCode: '0〜255 の整数',
  },
} satisfies typeof en;

function holderTextJa({ host, pid, life, isCommand, since, beatS }: HolderText): string {
  const who = `${host} のプロセス ${pid}${isCommand ? ' のコマンド' : ''}`;
  const how = { alive: '', frozen: '、停止中', dead: '、終了済み', unknown: '、確認不可' }[life];
  return `${who}${how}、${since} から${beatS === null ? '' : `、最後の更新は ${beatS} 秒前`}`;
}

function faultTextJa(fault: Fault): string {
  switch (fault) {
    case 'link-twice':
      return '一つの名前を二者に与えました';
    case 'link-content':
      return '名前の内容が入れ替わりました';
    case 'listing':
      return '新しい名前が次の一覧に現れませんでした';
    case 'rename':
      return 'ファイルが一度に置き換わりませんでした';
    case 'two-holders':
      return '二者が同時に占有しました';
  }
}

export const claims = { en, ja };

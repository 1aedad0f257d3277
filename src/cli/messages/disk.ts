/** What is said while a disk is full, read-only or failing, in both languages. */

const en = {
  journalFault: (code: string) =>
    `${diskFault(code)}: the journal cannot be written. Jobs that run go on, nothing new is started; it goes on by itself when that is over`,
  journalFaultOver: 'the journal can be written again; everything is recorded, the run goes on',
  endUnwritten: (code: string) =>
    `the run is on record as a whole; its summary or its files could not be left in order (${code}): the next start or resume makes up for it`,
};

function diskFault(code: string): string {
  switch (code) {
    case 'ENOSPC':
      return 'the disk is full (ENOSPC)';
    case 'EDQUOT':
      return 'the disk quota is used up (EDQUOT)';
    case 'EROFS':
      return 'the file system is read-only now (EROFS)';
    case 'EIO':
      return 'the disk fails (EIO)';
    default:
      return `the system refuses to write (${code})`;
  }
}

const ja = {
  journalFault: (code: string) =>
    `${diskFaultJa(code)}、ジャーナルに書き込めません。実行中のジョブは続きますが、新しいジョブは起動しません。解消すると自動的に再開します`,
  journalFaultOver: 'ジャーナルに書き込めるようになりました。すべて記録したので実行を続けます',
  endUnwritten: (code: string) =>
    `実行はすべて記録されていますが、サマリーの書き込みまたは後片付けができませんでした（${code}）。次の start か resume が補います`,
} satisfies typeof en;

function diskFaultJa(code: string): string {
  switch (code) {
    case 'ENOSPC':
      return 'ディスクに空きがなく（ENOSPC）';
    case 'EDQUOT':
      return 'ディスクの使用量が割り当ての上限に達しており（EDQUOT）';
    case 'EROFS':
      return 'ファイルシステムが読み取り専用になっており（EROFS）';
    case 'EIO':
      return 'ディスクのエラー（EIO）のため';
    default:
      return `システムに拒まれ（${code}）`;
  }
}

export const disk = { en, ja };

/** The catalogue of messages. Both languages of an area stand in one file; the compiler keeps them complete. */
import { claims } from './claims.js';
import { commands } from './commands.js';
import { disk } from './disk.js';
import { file } from './file.js';
import { problems } from './problems.js';
import { running } from './running.js';
import { words } from './words.js';

export type Language = 'en' | 'ja';

const catalogue = {
  en: { ...words.en, ...problems.en, ...running.en, ...file.en, ...commands.en, ...disk.en, ...claims.en },
  ja: { ...words.ja, ...problems.ja, ...running.ja, ...file.ja, ...commands.ja, ...disk.ja, ...claims.ja },
};

export type Messages = typeof catalogue.en;

export function messagesIn(language: Language): Messages {
  return catalogue[language];
}

/** --lang, else LC_ALL, LC_MESSAGES, LANG as in POSIX: the first that is set decides. */
export function languageOf(
  chosen: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const locale = chosen || LC_ALL || LC_MESSAGES || LANG || '';
  return /^ja/i.test(locale) ? 'ja' : 'en';
}

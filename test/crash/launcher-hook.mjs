/** Loaded before the command: its first launcher runs under strace, with the options in LAUNCHER_STRACE (JSON). */
import { register } from 'node:module';

const source = `
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith('/dist/executor/launcher.js')) return loaded;
    const own = ${JSON.stringify(new URL('launcher-traced.mjs', import.meta.url).href)};
    return { ...loaded, source: String(loaded.source).replace("from 'execa'", 'from ' + JSON.stringify(own)) };
  }`;
register(`data:text/javascript,${encodeURIComponent(source)}`);

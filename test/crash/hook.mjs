/**
 * Loaded before the command: its engine gets ports that end the process at one point. A point lies before and behind
 * every call of a port; CRASH_AT is its number, CRASH_KILLS what is killed there. Nothing of this is in the product.
 */
import { register } from 'node:module';

const source = `
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith('/dist/engine/engine.js')) return loaded;
    const text = String(loaded.source).replace('export function createEngine', 'function createRealEngine');
    const own = 'import { crashing } from ${JSON.stringify(new URL('ports.mjs', import.meta.url).href)};'
      + 'export const createEngine = (parts) => createRealEngine(crashing(parts));';
    return { ...loaded, source: own + text };
  }`;
register(`data:text/javascript,${encodeURIComponent(source)}`);

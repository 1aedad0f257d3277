/** In its own process: reads a file with readSheet, as every command does; prints time and rows. */
import { readFileSync } from 'node:fs';

// Built code is not part of the sources that the other tools look through: named at run time.
const { readSheet } = await import(new URL('../../dist/core/sheet.js', import.meta.url).href);

const began = performance.now();
const text = readFileSync(process.argv[2], 'utf8');
const result = readSheet(text);
const ms = performance.now() - began;
if (result.kind !== 'good') throw new Error(JSON.stringify(result.problems.slice(0, 3)));
console.log(JSON.stringify({ ms, rows: result.sheet.net.names.length }));

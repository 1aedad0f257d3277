/** count-tests FAILED_STEPS RESULT.json…: the closing line of a CI run; a test that was skipped counts as failed. */
import { existsSync, readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  if (!existsSync(file)) {
    console.log(`no results: ${file}`);
    failed++;
    continue;
  }
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
  if (numPendingTests > 0) console.log(`${numPendingTests} tests were skipped, which is a failure here`);
  passed += numPassedTests;
  failed += numFailedTests + numPendingTests;
}
// A step that failed without a failed test: a build, a check, a crash of the runner.
if (failed === 0) failed = Number(failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

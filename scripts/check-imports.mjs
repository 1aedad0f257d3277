/** Import rules by dependency-cruiser; fails as well when it looked at nothing (its exit code would be 0). */
import { cruise } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';

const LEAST_MODULES = 20;
const result = await cruise(
  ['src'],
  { ...rules.options, ruleSet: rules, validate: true, outputType: 'err' },
  undefined,
  {
    tsConfig: extractTsConfig('tsconfig.json'),
  },
);
const json = await cruise(['src'], { ...rules.options, ruleSet: rules, validate: true }, undefined, {
  tsConfig: extractTsConfig('tsconfig.json'),
});
const { totalCruised, error } = json.output.summary;
if (error > 0) console.log(result.output);
console.log(`${totalCruised} modules`);
process.exit(error > 0 || totalCruised < LEAST_MODULES ? 1 : 0);

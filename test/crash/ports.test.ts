import { describe, expect, test } from 'vitest';
import { checkHistory, countedNet, crashAt, goOn, THREE } from './crashes.js';

describe('a controller that is killed before and after each call of a port', () => {
  test('STA-03: leaves a run that resume brings to its end, each attempt started once', async () => {
    let point = 1;
    for (; ; point++) {
      const net = countedNet(THREE);
      const { code } = await crashAt(net, point, 'controller', 'start');
      if (code === 0) break;
      expect(code, `point ${point}`).toBeNull();
      await goOn(net, 'controller');
      checkHistory(net, 'controller');
    }
    console.log(`crashes: ${point - 1} points of a run of three jobs`);
    expect(point).toBeGreaterThan(40);
    // A hundred commands: more than a minute where other tests have the processors as well.
  }, 240_000);
});

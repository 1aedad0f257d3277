/** The kind of failure that a bench looks for: something ran, and what it left behind is not right. */

export class WrongResult extends Error {
  constructor(message) {
    super(message);
    this.name = 'WrongResult';
  }
}

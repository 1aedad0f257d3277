/** What the core uses of csv-parse/sync, without the Node types its own declarations bring (tsconfig `paths`). */
export declare function parse(input: string, options: object): string[][];

/** What can be wrong with a net's file, as data; the texts are in the message catalogue. Rows and columns count from 1. */
import type { CsvFault } from './csv.js';
import type { NameFault } from './names.js';

/** Any one of these refuses the whole file. */
export type Problem =
  | { readonly code: 'csv'; readonly fault: CsvFault }
  | { readonly code: 'encoding'; readonly found: 'utf-16' | 'zeros' | 'unknown' }
  /** The cells are parted by something else than commas. */
  | { readonly code: 'separator'; readonly found: ';' | 'tab' | 'sep=' }
  | { readonly code: 'no-jobs' }
  | { readonly code: 'column-missing'; readonly name: string; readonly found: readonly string[] }
  | {
      readonly code: 'column-misspelled';
      readonly column: number;
      readonly found: string;
      readonly right: string;
    }
  | {
      readonly code: 'column-repeated';
      readonly column: number;
      readonly name: string;
      readonly first: number;
    }
  | {
      readonly code: 'column-unsupported';
      readonly row: number;
      readonly column: number;
      readonly name: string;
    }
  | {
      readonly code: 'cell-beyond-header';
      readonly row: number;
      readonly column: number;
      readonly value: string;
    }
  | { readonly code: 'status'; readonly row: number; readonly column: number; readonly value: string }
  | { readonly code: 'on-lost'; readonly row: number; readonly column: number; readonly value: string }
  | { readonly code: 'timeout'; readonly row: number; readonly column: number; readonly value: string }
  | { readonly code: 'name-missing'; readonly row: number; readonly column: number }
  | {
      readonly code: 'name';
      readonly row: number;
      readonly column: number;
      readonly name: string;
      readonly fault: NameFault;
    }
  | {
      readonly code: 'name-repeated';
      readonly row: number;
      readonly column: number;
      readonly name: string;
      readonly first: number;
      readonly firstName: string;
    }
  | {
      readonly code: 'unknown-predecessor';
      readonly row: number;
      readonly column: number;
      readonly job: string;
      readonly predecessor: string;
      readonly nearest: string | null;
    }
  /** A closed path: the first job stands at the end again. */
  | { readonly code: 'cycle'; readonly path: readonly { readonly job: string; readonly row: number }[] };

/** Worth saying, but the net runs. */
export type Warning =
  /** A full-width or no-break space, or another that is not seen as one, was taken off the cell. */
  | { readonly code: 'trimmed'; readonly row: number; readonly column: number; readonly value: string }
  | { readonly code: 'start-ignored'; readonly row: number; readonly column: number; readonly job: string }
  | {
      readonly code: 'predecessor-repeated';
      readonly row: number;
      readonly column: number;
      readonly job: string;
      readonly predecessor: string;
    };

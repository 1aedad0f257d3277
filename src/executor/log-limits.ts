/** Sizes of logs. */

/** The cap when nobody chose one. */
export const LOG_BYTES_MAX = 256 * 1024 * 1024;
/** A smaller cap would have no room for anything but the line on what was dropped. */
export const LOG_CAP_BYTES_MIN = 1024;

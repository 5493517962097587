/** First and last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

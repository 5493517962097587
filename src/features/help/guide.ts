/** A piece of a line: plain words, strong ones, or a link. */
export type Piece = string | { strong: string } | { link: string; to: string };

/** A part of a guide, in the order of the page. */
export type Block =
  | { is: 'heading'; text: string }
  | { is: 'text'; line: Piece[] }
  | { is: 'list'; isNumbered: boolean; lines: Piece[][] }
  /** With its size in CSS pixels, so that the page keeps its shape while the picture comes. */
  | { is: 'picture'; src: string; alt: string; width: number; height: number };

/** One page of Help: a file below `docs/for-{readers}/`. */
export interface Guide {
  /** `without-signal`: its address is `/help/without-signal`. */
  slug: string;
  title: string;
  blocks: Block[];
}

/** The guides for one kind of reader, in the order they are listed. */
export interface Shelf {
  title: string;
  guides: Guide[];
}

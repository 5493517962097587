/** A part of a line: plain text, bold text, or a link. */
export type Inline = string | { strong: string } | { link: string; to: string };

/** A block of a guide, in page order. */
export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; line: Inline[] }
  | { kind: 'list'; isNumbered: boolean; lines: Inline[][] }
  /** The size in CSS pixels reserves the space while the picture loads. */
  | { kind: 'picture'; src: string; alt: string; width: number; height: number };

/** One page of Help: a file below `docs/for-{readers}/`. */
export interface Guide {
  /** `without-signal`: its address is `/help/without-signal`. */
  slug: string;
  title: string;
  blocks: Block[];
}

/** The guides for one audience, in display order. */
export interface GuideGroup {
  title: string;
  guides: Guide[];
}

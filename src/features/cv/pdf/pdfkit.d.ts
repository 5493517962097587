/** The parts of PDFKit and fontkit that the CV uses. The published types would bring the types of Node into the app. */
declare module 'pdfkit' {
  import type { Font } from 'fontkit';

  export interface StructureElement {
    add(child: StructureElement | StructureContent): this;
    end(): void;
  }
  export interface StructureContent {
    readonly refs: readonly unknown[];
  }
  export interface StructureOptions {
    lang?: string;
    alt?: string;
    actual?: string;
    scope?: 'Row' | 'Column';
    bbox?: [left: number, top: number, right: number, bottom: number];
    placement?: 'Block' | 'Inline';
  }
  /** A font of the document. Lengths are in thousandths of the size. */
  export interface EmbeddedFont {
    readonly id: string;
    /** The font in the list of a page. */
    ref(): unknown;
    /** Shapes text: the embedded glyphs as hexadecimal numbers, and where each stands. */
    encode(text: string): [glyphs: string[], positions: { xOffset: number; yOffset: number; xAdvance: number }[]];
  }
  export interface DocumentOptions {
    pdfVersion: '1.7';
    subset?: 'PDF/UA';
    tagged: boolean;
    displayTitle: boolean;
    lang: string;
    size: [width: number, height: number];
    margin: number;
    autoFirstPage: boolean;
    /** Keeps all pages open until the end, so that any of them can be drawn on. */
    bufferPages: boolean;
    /** The name of a font to begin with; null for none. */
    font: null;
    compress: boolean;
    info: Record<string, string | Date>;
  }
  export default class PDFDocument {
    constructor(options: DocumentOptions);
    on(event: 'data', listener: (bytes: Uint8Array) => void): this;
    on(event: 'end', listener: () => void): this;
    addPage(): this;
    switchToPage(index: number): this;
    end(): void;
    registerFont(name: string, font: Font): this;
    font(name: string): this;
    fontSize(points: number): this;
    widthOfString(text: string): number;
    text(text: string, x: number, y: number, options: { lineBreak: false; baseline: 'alphabetic' }): this;
    fillColor(color: string): this;
    image(bytes: ArrayBuffer, x: number, y: number, options: { width: number; height: number }): this;
    save(): this;
    restore(): this;
    transform(a: number, b: number, c: number, d: number, e: number, f: number): this;
    /** Adds operators to the content of the page. */
    addContent(operators: string): this;
    /** The current font. */
    readonly _font: EmbeddedFont;
    readonly page: { fonts: Record<string, unknown> };
    translate(x: number, y: number): this;
    scale(factor: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    clip(): this;
    path(svgPath: string): this;
    fill(color: string): this;
    link(
      x: number,
      y: number,
      width: number,
      height: number,
      url: string,
      options: { structParent: StructureElement; Contents: object },
    ): this;
    struct(type: string, options?: StructureOptions): StructureElement;
    addStructure(element: StructureElement): this;
    markStructureContent(tag: string, options?: StructureOptions): StructureContent;
    markContent(tag: 'Artifact', options: { type: 'Layout' | 'Pagination' }): this;
    endMarkedContent(): this;
  }
}

declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  /** @throws if the bytes are no font */
  export function create(bytes: Uint8Array): Font;
}

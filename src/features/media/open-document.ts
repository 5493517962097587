import { download } from '#net/download.ts';

/** What there is to open. */
interface OpenedDocument {
  /** Its address on the server. */
  path: string;
  /** What it is saved as, without an ending. */
  name: string;
  /** Its ending: 'pdf', 'docx'. */
  format: string;
}

/** Addresses of what was opened on this page, by path: a tab that shows one can be loaded again while the page is there. */
const opened = new Map<string, string>();

async function addressFor({ path, format }: OpenedDocument): Promise<string | null> {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const answer = await download({ method: 'GET', path }, () => undefined, new AbortController().signal);
  if (!answer.ok) return null;
  // The server offers every document for download. The type is given here, so that a browser never reads it as a page.
  const type = format === 'pdf' ? 'application/pdf' : 'application/octet-stream';
  const address = URL.createObjectURL(new Blob([answer.data], { type }));
  opened.set(path, address);
  return address;
}

function save(address: string, name: string): void {
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Shows a PDF in the browser's own viewer, and saves everything else, from bytes that this page fetched: also without signal
 * where they are kept.
 * @param tab an empty tab that was opened with the tap, where the browser shows PDFs
 * @returns false where the bytes cannot be had
 */
export async function openDocument(doc: OpenedDocument, tab: Window | null): Promise<boolean> {
  const address = await addressFor(doc);
  if (address === null) {
    tab?.close();
    return false;
  }
  if (tab === null || tab.closed) save(address, `${doc.name}.${doc.format}`);
  else {
    tab.opener = null;
    tab.location.replace(address);
  }
  return true;
}

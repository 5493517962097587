import { download } from '#net/download.ts';

/** A document to open. */
interface OpenedDocument {
  /** Its path on the server. */
  path: string;
  /** File name for saving, without extension. */
  name: string;
  /** File extension: 'pdf', 'docx'. */
  format: string;
}

/**
 * Object URLs of opened documents, by path. They are not revoked, so that a tab can be reloaded while this page is
 * open.
 */
const opened = new Map<string, string>();

async function getObjectUrl({ path, format }: OpenedDocument): Promise<string | null> {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const answer = await download({ method: 'GET', path }, () => undefined, new AbortController().signal);
  if (!answer.ok) return null;
  // The type is set here, so that a browser never renders a document as a page.
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
 * Shows a PDF in the browser's viewer and saves any other document. Works offline if the document is cached.
 * @param tab an empty tab that was opened during the tap; null if the document should be saved
 * @returns false if the document cannot be loaded
 */
export async function openDocument(doc: OpenedDocument, tab: Window | null): Promise<boolean> {
  const address = await getObjectUrl(doc);
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

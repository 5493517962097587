/**
 * Whether this browser can show a PDF in a new tab. An app on an iPhone's home screen opens tabs that cannot read this
 * page's object URLs, so it saves the file instead.
 */
function canShowPdf(): boolean {
  const { pdfViewerEnabled, standalone } = navigator as Navigator & { standalone?: boolean };
  return pdfViewerEnabled && standalone !== true;
}

/**
 * Opens an empty tab for a PDF. Call it before any await: browsers allow a new tab only during the tap.
 * @returns null if the PDF should be saved instead
 */
export const openPdfTab = (): Window | null => (canShowPdf() ? open('', '_blank') : null);

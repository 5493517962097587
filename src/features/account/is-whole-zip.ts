/** Length in bytes of the record with which a ZIP ends, and how it begins. */
const END_BYTES = 22;
const END_SIGNATURE = 0x504b0506;

/** Whether a ZIP is complete. A proxy that speaks HTTP/1.0 passes a download that broke off on as if it had ended. */
export async function isWholeZip(zip: Blob): Promise<boolean> {
  const end = new DataView(await zip.slice(-END_BYTES).arrayBuffer());
  return end.byteLength === END_BYTES && end.getUint32(0) === END_SIGNATURE;
}

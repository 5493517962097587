/** Says that mail did not arrive. The whole address is shown, so that the person can find a slip in it. */
export function UnreachableEmail({ address }: { address: string }) {
  return <p className="text-sm font-medium break-words text-needs">We couldn’t reach {address}. Check the address.</p>;
}

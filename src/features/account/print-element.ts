/** Prints one element of the page, marked with `data-print`, and nothing else. */
export function printMarkedElement(): void {
  const rules = new CSSStyleSheet();
  rules.replaceSync(`@media print {
    body * { visibility: hidden; }
    [data-print], [data-print] * { visibility: visible; color: #000; }
    [data-print] { position: fixed; inset: 2cm; }
  }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  const remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== rules);
  };
  addEventListener('afterprint', remove, { once: true });
  print();
}

/** The app's logo: a performer in a proscenium arch. Its colors are the same in both themes. */
export function Logo({ size = 34 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" className="shrink-0" aria-hidden>
      <rect width="64" height="64" rx="15" fill="#134834" />
      <path d="M14 53V30a18 18 0 0 1 36 0v23z" fill="#f7f2e4" />
      <path d="M20.5 53V30.5a11.5 11.5 0 0 1 23 0V53z" fill="#134834" />
      <path d="M23 53v-5.5a9 9 0 0 1 18 0V53z" fill="#f0b23f" />
      <circle cx="32" cy="31" r="6.2" fill="#f0b23f" />
    </svg>
  );
}

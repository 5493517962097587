/**
 * The 'More' icon of a menu button. One styled element instead of an SVG, because a page may have a hundred of them.
 */
export const Dots = () => <span className="ic dots" aria-hidden />;

/** 'More' on the button of a menu. One element and not a drawing of four: a page may have a hundred of them. */
export const Dots = () => <span className="ic dots" aria-hidden />;

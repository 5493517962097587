import { useLayoutEffect, type RefObject } from 'react';

/** Whether the browser's style sheet does it (`field-sizing: content`); Safari and Firefox learned it late. */
const growsByItself = () => CSS.supports('field-sizing', 'content');

type Field = Pick<HTMLTextAreaElement, 'scrollHeight' | 'offsetHeight' | 'clientHeight'> & {
  style: Pick<CSSStyleDeclaration, 'height'>;
};

/** Makes a field as high as its text. Bounds in its style sheet hold. */
export function fitToText(field: Field): void {
  // Let go of first: a field never scrolls less than it is high.
  field.style.height = 'auto';
  const borders = field.offsetHeight - field.clientHeight;
  field.style.height = `${field.scrollHeight + borders}px`;
}

/** A text field that grows with its text, in browsers that cannot do it by themselves. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (field.current && !growsByItself()) fitToText(field.current);
  }, [field, text]);
}

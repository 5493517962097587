import { expect } from '@playwright/test';

/** A function that runs in the page. It is sent as text, so it cannot use anything outside its body. */
export type PageFunction<A extends unknown[], T> = (...args: A) => T | Promise<T>;

/** The interface of both engines' drivers. Elements are found in the page, so that both find them alike. */
export interface Engine {
  go(url: string): Promise<void>;
  /** Runs a function in the page. Its arguments and result are plain data. */
  run<A extends unknown[], T>(inPage: PageFunction<A, T>, ...args: A): Promise<T>;
  /** Clicks the element that `findElement` finds. @returns false if it is missing or covered */
  click(target: Target): Promise<boolean>;
  /** Whether `findElement` finds an element. */
  has(target: Target): Promise<boolean>;
  /** Types text into the focused element. */
  type(text: string): Promise<void>;
  /** Sets the file of the first matching file input. */
  setFile(selector: string, file: string): Promise<void>;
  /** Closes the browser and reopens it on the same profile. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Target {
  /** CSS selector of the kind of element. */
  selector: string;
  /** Source of a regular expression for the element's name: label, text or placeholder. */
  name: string;
  /** Whether only the focused element counts. `:focus` matches nothing in a window without focus. */
  isFocused?: boolean;
}

/** Finds an element by selector and name, in the topmost dialog if one is open. Runs in the page. */
export function findElement({ selector, name, isFocused }: Target): Element | null {
  const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')];
  const getName = (element: Element) => {
    const labels = [...((element as Partial<HTMLInputElement>).labels ?? [])].map((label) => label.textContent);
    const own = element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent);
    return (own || element.getAttribute('placeholder') || '').trim();
  };
  const wanted = new RegExp(name);
  const found = [...(dialogs.at(-1) ?? document).querySelectorAll(selector)].filter(
    (element) =>
      element.checkVisibility() &&
      !element.matches(':disabled') &&
      (!isFocused || element === document.activeElement) &&
      wanted.test(getName(element)),
  );
  // Prefer a button: the header has a link of the same name as the form's button.
  const best = found.find((element) => element.matches('button')) ?? found[0] ?? null;
  best?.scrollIntoView({ block: 'center' });
  return best;
}

const BUTTON = 'button, [role=button], [role=menuitem], [role=tab], a[href]';
const FIELD = 'input:not([type=file]), textarea';
const CHOICE = 'label, [role=radio]';
/** A slow machine starts the browser beside everything else. */
const WAIT_OPTIONS = { timeout: 60_000 };

/**
 * The text that a user could scroll to. `innerText` omits content that is too far away to be laid out. Runs in the page, which
 * has no body when it has only begun to load.
 */
function getPageText(): string {
  const words: string[] = [];
  const texts = document.createTreeWalker((document.body as HTMLElement | null) ?? document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement?.checkVisibility({ visibilityProperty: true })) {
      words.push(texts.currentNode.textContent ?? '');
    }
  }
  return words.join('\n');
}

/** The text in the focused field. Runs in the page. */
const getFocusedText = () => (document.activeElement as Partial<HTMLInputElement> | null)?.value;

/** User actions in a browser. Each waits for its element. */
export function openUser(engine: Engine, url: string) {
  const click = (target: Target) =>
    expect.poll(() => engine.click(target), { ...WAIT_OPTIONS, message: target.name }).toBe(true);
  const expectText = (words: string) =>
    expect.poll(() => engine.run(getPageText), { ...WAIT_OPTIONS, message: words }).toContain(words);
  return {
    engine,
    sees: expectText,
    open: (address: string) => engine.go(url + address),
    press: (name: string) => click({ selector: BUTTON, name }),
    /** Saves the open sheet. The first click may only close a list of suggestions that covers the button. */
    async saveSheet() {
      const sheet = () =>
        engine.run(() => {
          const open = [...document.querySelectorAll<HTMLElement>('dialog[open]')];
          const withSave = open.filter((each) =>
            [...each.querySelectorAll('button')].some((button) => button.textContent.trim() === 'Save'),
          );
          return withSave.map((each) => each.innerText).join('\n');
        });
      // Never click while the sheet closes: the click would hit the page below.
      await expect(async () => {
        await engine.click({ selector: 'button', name: '^Save$' });
        await expect.poll(sheet, { timeout: 5_000, message: 'the sheet closes' }).toBe('');
      }).toPass(WAIT_OPTIONS);
    },
    /** Chooses a radio option. Repeats a click that missed it while the sheet was still moving. */
    async choose(name: string) {
      const isChosen = () =>
        engine.run((wanted) => {
          const labels = [...document.querySelectorAll<HTMLLabelElement>('dialog[open] label')];
          const control = labels.find((each) => new RegExp(wanted).test(each.textContent.trim()))?.control;
          return control instanceof HTMLInputElement && control.checked;
        }, name);
      await expect(async () => {
        await engine.click({ selector: CHOICE, name });
        await expect.poll(isChosen, { timeout: 2_000, message: `${name} is chosen` }).toBe(true);
      }).toPass(WAIT_OPTIONS);
    },
    /** Types into a field. Repeats a click that missed it while its sheet was still moving: the driver does not notice. */
    async fill(name: string, text: string) {
      const isFocused = () => engine.has({ selector: FIELD, name, isFocused: true });
      await expect(async () => {
        await engine.click({ selector: FIELD, name });
        await expect.poll(isFocused, { timeout: 2_000, message: `${name} is focused` }).toBe(true);
      }).toPass(WAIT_OPTIONS);
      await engine.type(text);
      await expect.poll(() => engine.run(getFocusedText), { message: `${name} has the text` }).toContain(text);
    },
    waitFor: <A extends unknown[]>(message: string, inPage: PageFunction<A, boolean>, ...args: A) =>
      expect.poll(() => engine.run(inPage, ...args), { ...WAIT_OPTIONS, message }).toBe(true),
  };
}

export type BrowserUser = ReturnType<typeof openUser>;

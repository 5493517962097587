/** What a form sends: its body, and the key under which the server knows it again. */
interface KeptRequest<Body> {
  key: string;
  body: Body;
}

/**
 * Returns a function that gives the request of a form. While the form is unchanged it is the same one, so that after a lost answer the
 * server replays what it has done. After a change it is another one: under a key it knows, the server refuses any other body.
 * A form keeps the function for as long as it is open.
 */
export function keepRequest<Body>(): (form: unknown, toBody: () => Body) => KeptRequest<Body> {
  let kept: (KeptRequest<Body> & { form: string }) | null = null;
  return (form, toBody) => {
    const text = JSON.stringify(form);
    if (kept?.form !== text) kept = { form: text, key: crypto.randomUUID(), body: toBody() };
    return kept;
  };
}

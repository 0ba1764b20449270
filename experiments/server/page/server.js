// What the page asks of the server: calls that are answered at once, and streams of lines.

/**
 * Posts a body and returns the response, or throws the server's own sentence.
 * @param {string} name
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
async function post(name, body, signal) {
  let response;
  try {
    response = await fetch(`/api/${name}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The server does not answer. Is `azulejo serve` still running?");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw Object.assign(new Error(answer.error ?? `The server answered with status ${response.status}.`), { status: response.status });
}

/**
 * One call, one answer.
 * @param {string} name
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(name, body, signal) {
  return accepted(await (await post(name, body, signal)).json());
}

/**
 * Calls and hands over each line of the answer as it comes.
 * @param {string} name
 * @param {unknown} body
 * @param {(line: any) => void} onLine
 * @param {AbortSignal} signal
 */
export async function stream(name, body, onLine, signal) {
  const response = await post(name, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const text of lines) if (text && !signal.aborted) onLine(readLine(text));
    if (done) return;
  }
}

/**
 * @param {string} text
 */
const readLine = (text) => accepted(JSON.parse(text));

/** An answer, unless it is the sentence that says why there is none. @param {any} answer */
function accepted(answer) {
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

/** True for the error of a call that was called off. @param {unknown} error */
export const calledOff = (error) => error instanceof DOMException && error.name === "AbortError";

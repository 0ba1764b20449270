// Whether the page is as narrow as on a phone; the style sheets have the same limit.
import { useEffect, useState } from "./html.js";

const NARROW = matchMedia("(max-width: 900px)");

/** True on a narrow page, also after it has changed. */
export function useNarrow() {
  const [narrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const onChange = () => setNarrow(NARROW.matches);
    NARROW.addEventListener("change", onChange);
    return () => NARROW.removeEventListener("change", onChange);
  }, []);
  return narrow;
}

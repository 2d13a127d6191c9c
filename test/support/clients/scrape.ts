/** Reads `GET /metrics` of a process, as Prometheus does. */
export type Scrape = {
  /** The value of the metric with these labels, such as `projector="enricher"`; undefined when the scrape has none. */
  readonly value: (name: string, labels?: string) => number | undefined;
};

/** Null while the process does not listen. */
export async function scrape(port: number): Promise<Scrape | null> {
  try {
    return parseScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  } catch {
    return null;
  }
}

export function parseScrape(text: string): Scrape {
  const values = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
  return { value: (name, labels = '') => values.get(labels === '' ? name : `${name}{${labels}}`) };
}

export function openApiDocument({ version }: { readonly version: string }): object {
  return { openapi: '3.1.0', info: { title: 'Palimpsest', version }, paths: {} };
}

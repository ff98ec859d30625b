/** Tells whether a pattern matches a request; the path excludes the query. */
export type RouteMatcher = (method: string, path: string) => boolean;

const patternForm = /^(?:\*|(?:([A-Z]+|\*) )?(\/\S*))$/;

/**
 * Reads a route pattern such as `POST /v1/chat/completions`, `GET /v2/apis/*`, `/v1/models` (any method), or `*` (every
 * path of the gateway itself). `*` in a path matches any characters.
 * @throws Error for any other form
 */
export function routeMatcher(pattern: string): RouteMatcher {
	const parts = patternForm.exec(pattern);
	if (!parts) {
		throw new Error(
			`"${pattern}" is not a route pattern. Use "METHOD /path", "/path" or "*"; "*" in a path matches any characters.`,
		);
	}
	const [, method = '*', path] = parts;
	// The emulator's own files represent files on other hosts: only a pattern with their path matches them.
	if (path === undefined) return (_method, requested) => !requested.startsWith('/__emulator/');
	const expression = new RegExp(`^${path.split('*').map(escapeExpression).join('.*')}$`);
	return (requestedMethod, requestedPath) =>
		(method === '*' || method === requestedMethod) && expression.test(requestedPath);
}

function escapeExpression(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

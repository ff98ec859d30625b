/**
 * Names a Fastify plugin after its function. Without a name, Fastify searches all loaded modules for the function,
 * which takes most of the emulator's start time in tests.
 */
export function named<Plugin extends (...args: never[]) => unknown>(plugin: Plugin): Plugin {
	return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name });
}

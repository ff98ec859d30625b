/**
 * A Fastify plugin that has its function's name. Without one, Fastify searches all loaded modules for the function, which
 * makes up most of the emulator's start in tests.
 */
export function named<Plugin extends (...args: never[]) => unknown>(plugin: Plugin): Plugin {
	return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name });
}

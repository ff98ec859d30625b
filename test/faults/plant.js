const { createTransformer } = require('@swc/jest');

/** Transforms one file as if it had the fault that `cli.ts` passes. */
module.exports = {
	createTransformer(options) {
		const swc = createTransformer(options);
		const { PLANTED_FILE, PLANTED_SOURCE } = process.env;
		const planted = (source, path) => (path === PLANTED_FILE ? PLANTED_SOURCE : source);
		return {
			...swc,
			process: (source, path, ...others) => swc.process(planted(source, path), path, ...others),
			getCacheKey: (source, path, ...others) => swc.getCacheKey(planted(source, path), path, ...others),
		};
	},
};

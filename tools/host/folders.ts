import path from 'node:path';

const project = path.resolve(__dirname, '../..');
const demo = path.join(project, 'demo');
const state = path.join(demo, '.state');

/** All folders, absolute. `state` and `output` are generated and can be deleted at any time. */
export const folders = {
	project,
	/** The private package that pins n8n: its `node_modules` is the installed n8n. */
	demo,
	examples: path.join(project, 'examples'),
	/** The folder in which `npm start` saves what the examples make. */
	output: path.join(demo, 'output'),
	state,
	logs: path.join(state, 'logs'),
	/** The `N8N_USER_FOLDER` of `npm start`, with the database, the encryption key, and community packages. */
	user: path.join(state, 'n8n'),
};

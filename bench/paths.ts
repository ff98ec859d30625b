import path from 'node:path';
import { folders } from '../tools/host/folders';

/** The user folder of n8n with the packed nodes. */
export const userFolder = path.join(folders.state, 'bench');

/** The folder of the installed package. */
export const packageFolder = path.join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-unified-ai-gateway');

/** The Node executable that n8n runs on. */
export const n8nNode = path.join(folders.demo, 'node_modules/node/bin/node');

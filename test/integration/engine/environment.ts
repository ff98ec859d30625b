import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads these variables when it is first required, so this module must be imported before it.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_ENCRYPTION_KEY ??= 'engine-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';

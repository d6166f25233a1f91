import { z } from 'zod';

// The content security policy allows no code made at run time, which zod would try for speed as soon as a schema is made.
// So this module comes before every other that makes one.
z.config({ jitless: true });

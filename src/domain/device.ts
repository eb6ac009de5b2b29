/** What is kept as the device of a request that names neither browser nor system. */
export const UNKNOWN_DEVICE = 'Unknown device';

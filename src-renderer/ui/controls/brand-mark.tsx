/** The studio's mark: two streams that become one. */
export function BrandMark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" style={{ flex: 'none' }}>
      <defs>
        <linearGradient id="brand-mark" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#4a6cf0" />
          <stop offset="1" stopColor="#a03cc0" />
        </linearGradient>
      </defs>
      <rect width="20" height="20" rx="5" fill="url(#brand-mark)" />
      <path d="M4 6.2c4 0 4 3.8 7 3.8M4 13.8c4 0 4-3.8 7-3.8h5" fill="none" stroke="#fff" strokeWidth="1.7" strokeLinecap="round" />
    </svg>
  );
}

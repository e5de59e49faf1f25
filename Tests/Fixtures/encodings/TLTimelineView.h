@class NSMutableArray, NSString, TLEvent;

@interface TLTimelineView : NSView <NSCopying, TLEventSource> {
    NSMutableArray *_events;
    struct _NSRange _visibleRange;
    double _tickPositions[16];
    void (*_layoutPass)();
    struct {
        unsigned int needsLayout : 1;
        unsigned int isScrubbing : 1;
        unsigned int zoomLevel : 6;
    } _flags;
}

+ (instancetype)timelineViewWithEvents:(id)events;
- (instancetype)initWithFrame:(struct CGRect)frame events:(id)events;
- (instancetype)initWithCoder:(id)coder;

// NSCopying
- (id)copyWithZone:(struct _NSZone *)zone;

// TLEventSource
- (unsigned long long)numberOfEvents;
- (id)eventAtIndex:(unsigned long long)index;

@property (nonatomic, copy) NSString *title;
@property (nonatomic, weak) id<TLTimelineDelegate> delegate;
@property (nonatomic, readonly, getter=isPlaying) BOOL playing;
@property (nonatomic, copy) void (^onScrub)();

+ (unsigned long long)defaultTickCount;

- (void)setTickPositions:(const double *)tickPositions count:(unsigned long long)count;
- (struct CGRect)rectForEventAtIndex:(unsigned long long)index;
- (void)enumerateEventsInRange:(struct _NSRange)range usingBlock:(void (^)(TLEvent *, unsigned long long, BOOL *))block;
- (void)scrollToTime:(double)time animated:(BOOL)animated;
- (BOOL)writeToURL:(id)url error:(id *)error;
- (float (*)[4])transformMatrix;

@end

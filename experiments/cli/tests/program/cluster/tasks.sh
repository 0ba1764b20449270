# What the mock schedulers share: a task that is taken away and started again.

# Runs a command to its end. The first attempts at every second task are taken away after a moment, by a kill or, as before a
# preemption, by a signal that ends it; $MOCK_LOG has a line for each.
task() {
    number=$1
    shift
    if [ $((number % 2)) -eq 0 ]; then
        for signal in KILL TERM; do
            if timeout --signal="$signal" 0.0"$number" "$@" >>"$MOCK_LOG".output 2>&1; then
                echo "task $number ended early" >>"$MOCK_LOG"
            else
                echo "task $number got $signal" >>"$MOCK_LOG"
            fi
        done
    fi
    "$@" && echo "task $number done" >>"$MOCK_LOG"
}
